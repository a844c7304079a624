// Cumulative acknowledgements against a set of the packets that have come.

#include "tcp/receiver.hpp"

#include <gtest/gtest.h>

#include <set>

#include "kit.hpp"
#include "kit/random/random.hpp"

namespace packetsim {
namespace {

void compare(std::int32_t rwnd) {
  ReceiverPool pool(2, rwnd);
  Receiver receiver;
  pool.give_ring_to(receiver, 1);
  Random random(static_cast<std::uint64_t>(rwnd), Stream::kLinkLoss);
  for (int transfer = 0; transfer < 20; ++transfer) {
    receiver.start();
    std::set<std::int32_t> arrived;
    std::int32_t missing = 1;
    for (int i = 0; i < 2000; ++i) {
      const auto ahead = static_cast<std::int32_t>(random.bits() % static_cast<std::uint64_t>(rwnd + 5)) - 5;
      const std::int32_t packet = std::max(1, missing + ahead);
      arrived.insert(packet);
      while (arrived.contains(missing)) {
        ++missing;
      }
      ASSERT_EQ(receiver.receive(packet), missing);
    }
  }
}

TEST(Receiver, AcknowledgesTheFirstMissingPacket) {
  for (const std::int32_t rwnd : {1, 2, 44, 63, 64, 65, 300}) {
    compare(rwnd);
  }
}

}  // namespace
}  // namespace packetsim
