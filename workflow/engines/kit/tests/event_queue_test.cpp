// The event queue, its wheel and its lanes against the standard library's heap.

#include "kit/events/event_queue.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "kit/events/waiting_lists.hpp"
#include "kit/random/random.hpp"

namespace kit {
namespace {

constexpr Picoseconds kSpan = 1'000'000;

// (time, order of pushing)
using Pending = std::pair<Picoseconds, std::uint64_t>;
using Oracle = std::priority_queue<Pending, std::vector<Pending>, std::greater<>>;

// The distance of an event: in the bucket being emptied, in the ring, or beyond its span.
double draw_distance(Random& random, double far_share) {
  const double scale = random.uniform() < far_share ? 10 : random.uniform() < 0.3 ? 1e-4 : 0.1;
  return random.uniform() * scale * static_cast<double>(kSpan);
}

// Pushes now and then, by way of `push(queue, time, order)`, and pops the rest of the time. Times are
// multiples of `grain`, so that with a coarse one many events fall together.
template <class Push>
void compare(std::size_t pending, double far_share, Picoseconds grain, Push push) {
  EventQueue queue(kSpan, pending);
  Oracle oracle;
  Random random(pending, Stream::kOffTime);
  Picoseconds now = 0;
  for (std::uint64_t order = 0; order < 100'000;) {
    if (oracle.size() < pending / 2 || random.uniform() < 0.5) {
      const auto time = (now + static_cast<Picoseconds>(draw_distance(random, far_share))) / grain * grain;
      push(queue, std::max(time, now), order);
      oracle.emplace(std::max(time, now), order++);
    } else {
      const Event event = queue.pop();
      ASSERT_EQ(Pending(event.time, event.payload), oracle.top());
      oracle.pop();
      now = event.time;
    }
  }
  std::size_t still_pending = 0;
  queue.for_each([&](const Event&) { ++still_pending; });
  EXPECT_EQ(still_pending, oracle.size());
  for (; !oracle.empty(); oracle.pop()) {
    const Event event = queue.pop();
    ASSERT_EQ(Pending(event.time, event.payload), oracle.top());
  }
  EXPECT_EQ(queue.next_time(), kNever);
}

TEST(EventQueue, GivesEventsInOrderOfTimeAndOfPushing) {
  for (const std::size_t pending : {4U, 500U}) {
    for (const double far_share : {0.0, 0.1, 1.0}) {
      for (const Picoseconds grain : {Picoseconds{1}, kSpan / 500}) {
        compare(pending, far_share, grain, [](EventQueue& queue, Picoseconds time, std::uint64_t payload) {
          queue.push(time, payload);
        });
      }
    }
  }
}

TEST(EventQueue, GivesTheSameOrderWhicheverLaneEventsCameBy) {
  for (const std::size_t pending : {4U, 500U}) {
    for (const Picoseconds grain : {Picoseconds{1}, kSpan / 500}) {
      compare(pending, 0.1, grain, [](EventQueue& queue, Picoseconds time, std::uint64_t payload) {
        const std::size_t lane = payload % (EventQueue::kLanes + 1);
        lane == EventQueue::kLanes ? queue.push(time, payload) : queue.push(lane, time, payload);
      });
    }
  }
}

TEST(EventQueue, AnEventPushedLateKeepsItsPlaceInTheOrder) {
  EventQueue queue(kSpan, 4);
  const std::uint64_t first = queue.next_order();
  queue.push(100, 2);
  queue.insert(0, {queue.next_order(), 100, 3});
  queue.insert(0, {first, 100, 1});
  for (const std::uint64_t expected : {1U, 2U, 3U}) {
    EXPECT_EQ(queue.pop().payload, expected);
  }
}

TEST(EventQueue, TakesEventsForTheTimeBeingEmptied) {
  EventQueue queue(kSpan, 4);
  queue.push(10, 1);
  queue.push(30, 3);
  EXPECT_EQ(queue.pop().payload, 1U);
  queue.push(20, 2);
  queue.push(10, 4);
  EXPECT_EQ(queue.pop().payload, 4U);
  EXPECT_EQ(queue.pop().payload, 2U);
  EXPECT_EQ(queue.pop().payload, 3U);
}

TEST(WaitingLists, AreFirstInFirstOutEachByItself) {
  WaitingLists pool;
  std::vector<WaitingLists::List> lists(3);
  std::vector<std::queue<std::uint64_t>> oracle(lists.size());
  Random random(1, Stream::kOffTime);
  for (std::uint64_t number = 0; number < 10'000; ++number) {
    const std::size_t which = random.bits() % lists.size();
    if (random.uniform() < 0.55) {
      pool.push(lists[which], {number, static_cast<Picoseconds>(2 * number), number});
      oracle[which].push(number);
    } else if (!oracle[which].empty()) {
      EXPECT_EQ(pool.pop(lists[which]).payload, oracle[which].front());
      oracle[which].pop();
    }
    EXPECT_EQ(lists[which].next_time,
              oracle[which].empty() ? kNever : static_cast<Picoseconds>(2 * oracle[which].front()));
  }
}

}  // namespace
}  // namespace kit
