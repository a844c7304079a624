// The simplified window and what the cross flows know of the reference.

#include "cross_flow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "environment.hpp"

namespace fixed_point {
namespace {

// Every packet waits 10 at the head of its flow and lets others arrive 90 after it leaves; the source
// needs 1.
class LoneCrossWindow : public testing::Test {
 protected:
  Picoseconds arrive(Picoseconds now) {
    window.arrive(now, 10, 90, ring);
    return window.next_arrival(1, ring);
  }

  std::array<Picoseconds, 64> ring{};
  CrossWindow window{40, false};
};

// By hand: packet 1 comes around at 100 and lets two arrive, 100 and 101. They leave at 110 and 120, come
// around at 200 and 210 and let two arrive each.
TEST_F(LoneCrossWindow, DoublesEveryRoundTrip) {
  std::vector<Picoseconds> arrivals = {0};
  while (arrivals.size() < 8) {
    arrivals.push_back(arrive(arrivals.back()));
  }
  EXPECT_EQ(arrivals, (std::vector<Picoseconds>{0, 100, 101, 200, 201, 210, 211, 300}));
}

TEST_F(LoneCrossWindow, HalvesOnceForLossesOfOneWindow) {
  Picoseconds next = 0;
  for (int i = 0; i < 7; ++i) {
    next = arrive(next);
  }
  const std::int32_t before = window.window();
  window.lose();
  EXPECT_EQ(window.window(), before / 2);
  window.lose();
  EXPECT_EQ(window.window(), before / 2);
}

// A window of one that is lost is replaced once the loss has travelled: 50 later.
TEST_F(LoneCrossWindow, ReplacesALostPacket) {
  window.lose();
  window.arrive_in_vain(0, 50, ring);
  EXPECT_EQ(window.next_arrival(1, ring), 50);
}

TEST_F(LoneCrossWindow, BeginsAgainAfterAnIdleness) {
  Picoseconds next = 0;
  for (int i = 0; i < 7; ++i) {
    next = arrive(next);
  }
  window.start(false);
  EXPECT_EQ(window.window(), 8);
  window.start(true);
  EXPECT_EQ(window.window(), 1);
}

TEST(ActiveClass, HasQuarterOctaves) {
  for (std::int32_t n = 0; n < 8; ++n) {
    EXPECT_EQ(ActiveClass::of(n), static_cast<std::size_t>(n));
  }
  for (const std::int32_t octave : {8, 16, 1024, 524'288}) {
    for (std::int32_t quarter = 0; quarter < 4; ++quarter) {
      const std::int32_t first = octave + quarter * octave / 4;
      EXPECT_EQ(ActiveClass::of(first), ActiveClass::of(first - 1) + 1) << first;
    }
  }
  EXPECT_LT(ActiveClass::of(1'000'000), ActiveClass::kCount);
}

TEST(EnvironmentEstimate, DividesPacketsByOnTimeOfEachClass) {
  EnvironmentEstimate estimate;
  for (int i = 0; i < 200; ++i) {
    estimate.add_sent(3);
    estimate.add_sent(9);
    estimate.add_service(3, 0.01);
    estimate.add_service(3, 0.03);
  }
  estimate.add_on_time(3, 10);
  estimate.add_on_time(9, 40);
  for (const int length : {1, 1, 2, 4}) {
    estimate.add_queue(length);
  }
  const Environment conditional = estimate.environment({}, true, 0.01);
  EXPECT_DOUBLE_EQ(conditional.send_rate[3], 20);
  EXPECT_DOUBLE_EQ(conditional.send_rate[9], 5);
  EXPECT_DOUBLE_EQ(conditional.send_rate[4], 20);  // the nearest class that was seen
  EXPECT_DOUBLE_EQ(conditional.send_rate[79], 5);
  EXPECT_NEAR(conditional.service[9].mean_s, 0.02, 1e-12);
  EXPECT_NEAR(conditional.service[9].sd_s, 0.01, 1e-12);
  EXPECT_EQ(conditional.queue_at_most, (std::vector<double>{0, 0.5, 0.75, 0.75, 1}));
  EXPECT_EQ(conditional.timeout_probability, 0.01);
  const Environment whole = estimate.environment({}, false, 0);
  EXPECT_DOUBLE_EQ(whole.send_rate[3], 8);
  EXPECT_DOUBLE_EQ(whole.send_rate[50], 8);
}

TEST(EnvironmentEstimate, LeavesWhatItDidNotSee) {
  Environment last;
  last.send_rate.fill(7);
  EXPECT_EQ(EnvironmentEstimate().environment(last, true, 0).send_rate[5], 7);
}

}  // namespace
}  // namespace fixed_point
