// The shared router's fair queue by hand: heads of line apart, and who loses.

#include <gtest/gtest.h>

#include <string>

#include "network/local_loop.hpp"

namespace packetsim {
namespace {

// Packets are named by flow and number; a service takes 10, the clock stands still.
template <class Queue>
class Named {
 public:
  explicit Named(std::int32_t buffer, bool shared) : queue_(4, buffer, shared, Link(10)) {}

  // The packet that is lost for this one, or nothing.
  std::string arrive(const std::string& name) {
    const std::uint64_t payload =
        static_cast<std::uint64_t>(name[0]) << 8 | static_cast<std::uint8_t>(name[1]);
    std::string lost;
    queue_.arrive(static_cast<std::size_t>(name[0] - 'A'), {payload, 0},
                  [&](const auto& packet) { lost = named(packet.payload); });
    return lost;
  }

  std::string depart() {
    return named(queue_.depart([](const auto&) {}).payload);
  }
  std::size_t present() const { return queue_.present(); }

 private:
  static std::string named(std::uint64_t payload) {
    return {static_cast<char>(payload >> 8), static_cast<char>(payload & 0xff)};
  }

  Queue queue_;
};

TEST(LoopQueue, FirstPacketsTakeNoRoomIfApart) {
  Named<LoopQueue<true>> queue(2, true);
  for (const char* name : {"A1", "A2", "A3", "B1", "C1"}) {
    EXPECT_EQ(queue.arrive(name), "") << name;
  }
  EXPECT_EQ(queue.present(), 5U);  // two beside three heads of line
  EXPECT_EQ(queue.arrive("D1"), "");
  EXPECT_EQ(queue.arrive("B2"), "B2");  // its queue of two would be as long as A's
  EXPECT_EQ(queue.depart(), "A1");      // A2 becomes A's head of line, and makes room
  EXPECT_EQ(queue.arrive("B2"), "");
  EXPECT_EQ(queue.arrive("C2"), "C2");
}

TEST(LoopQueue, IndividualBuffersTakeOneMoreIfTheFirstPacketIsApart) {
  Named<LoopQueue<true>> apart(2, false);
  Named<LoopQueue<false>> within(2, false);
  for (const char* name : {"A1", "B1", "B2"}) {
    EXPECT_EQ(apart.arrive(name), "");
    EXPECT_EQ(within.arrive(name), "");
  }
  EXPECT_EQ(within.arrive("B3"), "B3");
  EXPECT_EQ(apart.arrive("B3"), "");
  EXPECT_EQ(apart.arrive("B4"), "B4");
}

// Of several longest queues the one that has been so for the longest time loses its first packet, whatever
// its number.
TEST(LoopQueue, TheOldestOfTheLongestQueuesLoses) {
  Named<LoopQueue<false>> queue(7, true);
  for (const char* name : {"D1", "C1", "C2", "A1", "B1", "A2", "B2"}) {
    EXPECT_EQ(queue.arrive(name), "") << name;  // D1 is in service
  }
  EXPECT_EQ(queue.arrive("D2"), "C1");
  EXPECT_EQ(queue.arrive("C3"), "C3");  // its two would be as long as the longest: it loses what arrives
  EXPECT_EQ(queue.arrive("D3"), "D3");
  EXPECT_EQ(queue.depart(), "D1");
  EXPECT_EQ(queue.arrive("D3"), "");
  EXPECT_EQ(queue.present(), 7U);
}

}  // namespace
}  // namespace packetsim
