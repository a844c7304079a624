// Receive buffers that grow, against captures of the kernel's acknowledgements and its sources
// (net/ipv4/tcp_input.c, tcp_rcv_space_adjust and tcp_grow_window).

#include "tcp/receive_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "times.hpp"

namespace packetsim {
namespace {

constexpr Picoseconds kRoundTrip = 50 * kMillisecond;

// How many packets of each round trip let the window grow, where so many come in them.
std::vector<int> growths(const std::vector<int>& rounds, std::int32_t rwnd = 10'000, bool tunes = true) {
  const ReceiveBuffer::Rules rules = ReceiveBuffer::rules(1500, rwnd, tunes, kRoundTrip);
  ReceiveBuffer buffer;
  buffer.start(rules);
  std::vector<int> found;
  std::int32_t packet = 0;
  Picoseconds begin = kSecond;
  for (const int packets : rounds) {
    found.push_back(0);
    for (int place = 0; place < packets; ++place) {
      const Arrival arrival{
          .received = begin + place * kMillisecond / 10, .order = Order::kNext, .packet = ++packet};
      found.back() += buffer.take(arrival, rules) ? 1 : 0;
    }
    begin += kRoundTrip;
  }
  return found;
}

// A capture of slow start over 100 Mbit/s and 50 ms: but for the first 16, which are another rule's, packets
// are acknowledged two by two up to the 32nd, and then one by one up to the 281st.
TEST(ReceiveBuffer, GrowsAheadOfSlowStart) {
  EXPECT_EQ(growths({10, 20, 40, 80}), (std::vector<int>{0, 0, 39, 80}));
}

// 20 packets after 10: 56 and twice as many more for the growth are wanted, with 128-byte steps 172; of them
// the first window has 45, and each packet is two more.
TEST(ReceiveBuffer, HasRoomForSeveralTimesWhatCame) {
  const std::vector<int> found = growths({10, 20, 10, 10, 10, 10, 10, 10, 10});
  int sum = 0;
  for (const int packets : found) {
    sum += packets;
  }
  EXPECT_EQ(sum, (56 * 3 + 56 * 3 / 40 - 45 + 1) / 2);
}

TEST(ReceiveBuffer, GrowsToTheReceiversWindow) {
  EXPECT_EQ(growths({10, 20, 40, 80}, 60), (std::vector<int>{0, 0, 8, 0}));
  EXPECT_EQ(growths({10, 20, 40, 80}, 30), (std::vector<int>{0, 0, 0, 0}));
}

TEST(ReceiveBuffer, IsConstantOfTheReceiversOfReno) {
  EXPECT_EQ(growths({10, 20, 40, 80}, 10'000, false), (std::vector<int>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace packetsim
