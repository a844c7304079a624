// The event bins against the standard library's heap.

#include "kit/events/event_bins.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "kit/random/random.hpp"

namespace kit {
namespace {

constexpr int kShift = 16;
constexpr Picoseconds kBin = Picoseconds{1} << kShift;

// (time, cause, order of pushing)
using Pending = std::tuple<Picoseconds, Picoseconds, std::uint64_t>;
using Oracle = std::priority_queue<Pending, std::vector<Pending>, std::greater<>>;

// The distance of an event: in the open bin, in another, or, in bins, beyond all of them.
double draw_distance(Random& random, double far_share) {
  const double scale = random.uniform() < far_share ? 10'000 : random.uniform() < 0.3 ? 0.1 : 20;
  return random.uniform() * scale * static_cast<double>(kBin);
}

// Pushes now and then and pops the rest of the time. Times are multiples of `grain`, so that with a coarse
// one many events fall together; then `causes` of them are in order or not.
void compare(std::size_t pending, double far_share, Picoseconds grain, bool causes) {
  EventBins bins(kShift);
  Oracle oracle;
  Random random(pending, Stream::kOffTime);
  Picoseconds now = 0;
  for (std::uint64_t order = 0; order < 10'000 + pending;) {
    if (oracle.size() < pending / 2 || (oracle.size() < 2 * pending && random.uniform() < 0.5)) {
      const auto at = (now + static_cast<Picoseconds>(draw_distance(random, far_share))) / grain * grain;
      const Picoseconds time = std::max(at, now);
      const auto cause = static_cast<Picoseconds>(causes ? random.bits() % 3 * 100'000 + order : order);
      bins.push({time, cause, order});
      oracle.emplace(time, cause, order++);
    } else {
      ASSERT_GE(bins.next_time(std::get<0>(oracle.top())), std::get<0>(oracle.top()));
      ASSERT_EQ(bins.next_time(std::get<0>(oracle.top()) + 1), std::get<0>(oracle.top()));
      ASSERT_EQ(bins.next_time(), std::get<0>(oracle.top()));
      const Event event = bins.pop();
      ASSERT_EQ(Pending(event.time, event.cause, event.payload), oracle.top());
      oracle.pop();
      now = event.time;
    }
  }
  std::size_t still_pending = 0;
  bins.for_each([&](const Event&) { ++still_pending; });
  EXPECT_EQ(still_pending, oracle.size());
  for (; !oracle.empty(); oracle.pop()) {
    ASSERT_EQ(bins.next_time(), std::get<0>(oracle.top()));
    ASSERT_EQ(bins.pop().payload, std::get<2>(oracle.top()));
  }
  EXPECT_EQ(bins.next_time(), kNever);
}

TEST(EventBins, GiveEventsInOrderOfTimeAndCause) {
  for (const std::size_t pending : {2U, 20U, 500U, 20'000U}) {
    for (const double far_share : {0.0, 0.1, 1.0}) {
      for (const Picoseconds grain : {Picoseconds{1}, kBin / 5}) {
        for (const bool causes : {false, true}) {
          compare(pending, far_share, grain, causes);
        }
      }
    }
  }
}

// More than can be counted in 16 bits.
TEST(EventBins, SortAnyNumberOfEventsInABin) {
  EventBins bins(kShift);
  Random random(1, Stream::kOffTime);
  constexpr std::uint64_t kEvents = 70'000;
  for (std::uint64_t order = 0; order < kEvents; ++order) {
    bins.push({kBin + static_cast<Picoseconds>(random.uniform() * (kBin - 1)), 0, order});
  }
  Picoseconds before = 0;
  for (std::uint64_t order = 0; order < kEvents; ++order) {
    const Picoseconds time = bins.next_time();
    ASSERT_LE(before, time);
    before = bins.pop().time;
  }
  EXPECT_EQ(bins.next_time(), kNever);
}

// As of a paced sender with a large window: all in one bin, acknowledgements behind, the next packet in
// front.
TEST(EventBins, TakeEventsInFrontOfManyOthers) {
  EventBins bins(50);
  Oracle oracle;
  Random random(1, Stream::kOffTime);
  Picoseconds now = 0;
  std::uint64_t order = 0;
  const auto push = [&](Picoseconds time) {
    const auto cause = static_cast<Picoseconds>(random.bits() % 3);
    bins.push({time, cause, order});
    oracle.emplace(time, cause, order++);
  };
  bins.push({0, 0, order});  // opens the bin
  ASSERT_EQ(bins.next_time(), 0);
  bins.pop();
  for (int step = 0; step < 20'000; ++step) {
    push(now + 5'000 + static_cast<Picoseconds>(random.bits() % 3));
    push(now + static_cast<Picoseconds>(random.bits() % 4));
    for (int i = 0; i < (step < 5'000 ? 1 : 2); ++i) {
      ASSERT_EQ(bins.next_time(), std::get<0>(oracle.top()));
      const Event event = bins.pop();
      ASSERT_EQ(Pending(event.time, event.cause, event.payload), oracle.top());
      oracle.pop();
      now = event.time;
    }
  }
  EXPECT_EQ(oracle.size(), 5'000U);
}

TEST(EventBins, EventsOfTheSameTimeAndCauseComeAsTheyWerePushed) {
  EventBins bins(kShift);
  const Picoseconds time = 3 * kBin;
  bins.push({time, 5, 2});
  bins.push({time, 4, 1});
  bins.push({time, 5, 3});
  EXPECT_EQ(bins.next_time(), time);
  EXPECT_EQ(bins.pop().payload, 1U);
  bins.push({time, 5, 4});  // into the open bin
  for (const std::uint64_t expected : {2U, 3U, 4U}) {
    EXPECT_EQ(bins.next_time(), time);
    EXPECT_EQ(bins.pop().payload, expected);
  }
}

}  // namespace
}  // namespace kit
