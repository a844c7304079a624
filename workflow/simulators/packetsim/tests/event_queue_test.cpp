// The calendar wheel against the standard library's heap.

#include "event_queue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <tuple>
#include <vector>

#include "random.hpp"

namespace packetsim {
namespace {

// (time, order of pushing)
using Oracle = std::priority_queue<std::pair<Picoseconds, std::uint64_t>,
                                   std::vector<std::pair<Picoseconds, std::uint64_t>>, std::greater<>>;

// Pushes now and then events at every distance that a wheel treats differently: in the open bucket, in the
// ring, beyond its span; pops the rest of the time.
void compare(Picoseconds spacing, double far_share) {
  EventQueue queue(spacing);
  Oracle oracle;
  Random random(static_cast<std::uint64_t>(spacing), Stream::kOffTime);
  Picoseconds now = 0;
  for (std::uint64_t order = 0; order < 200'000; ++order) {
    if (oracle.empty() || random.uniform() < 0.5) {
      const double span = random.uniform() < far_share ? 1e6 : random.uniform() < 0.3 ? 1 : 300;
      const auto time =
          now + static_cast<Picoseconds>(random.uniform() * span * static_cast<double>(spacing));
      queue.push(time, order);
      oracle.emplace(time, order);
    } else {
      const Event event = queue.pop();
      ASSERT_EQ(event.time, oracle.top().first);
      oracle.pop();
      now = event.time;
    }
  }
  std::size_t pending = 0;
  queue.for_each([&](const Event&) { ++pending; });
  EXPECT_EQ(pending, oracle.size());
  for (; !oracle.empty(); oracle.pop()) {
    ASSERT_FALSE(queue.empty());
    ASSERT_EQ(queue.pop().time, oracle.top().first);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, GivesEventsInOrderOfTime) {
  for (const Picoseconds spacing : {1, 1000, 600'000'000}) {
    for (const double far_share : {0.0, 0.1, 1.0}) {
      compare(spacing, far_share);
    }
  }
}

TEST(EventQueue, KeepsTheOrderOfPushingAtOneTime) {
  EventQueue queue(1000);
  for (std::uint64_t i = 0; i < 100; ++i) {
    queue.push(5'000'000, i);
  }
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(queue.pop().payload, i);
  }
}

TEST(EventQueue, TakesEventsForTheTimeBeingEmptied) {
  EventQueue queue(1000);
  queue.push(10, 1);
  queue.push(30, 3);
  EXPECT_EQ(queue.pop().payload, 1U);
  queue.push(20, 2);
  queue.push(10, 4);
  EXPECT_EQ(queue.pop().payload, 4U);
  EXPECT_EQ(queue.pop().payload, 2U);
  EXPECT_EQ(queue.pop().payload, 3U);
}

}  // namespace
}  // namespace packetsim
