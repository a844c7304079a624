// Compound TCP's windows against its draft, the integers of the Linux module and hand-worked sequences.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit/tests/compound_points.hpp"
#include "tcp/compound.hpp"
#include "tcp/compound_draft.hpp"
#include "tcp/compound_linux.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

TEST(CompoundDraft, GrowsByThreePointNineFivePacketsARoundTripAtAWindowOf100) {
  CompoundDraft windows(authors_parameters());
  windows.set(100);
  windows.grow(100, 0);
  for (int ack = 0; ack < 100; ++ack) {
    windows.on_ack();
  }
  // 100 + 100^(3/4) / 8 is 103.95; the loss window's packet comes in 100 steps of a little less than 1/100.
  EXPECT_EQ(windows.window(), 103);
  windows.set(1000);
  windows.grow(1000, 0);
  EXPECT_EQ(windows.window(), 1000 + 21);  // 1000^(3/4) / 8 = 22.2, less the loss window's 1
}

TEST(CompoundDraft, FallsByTheBacklogButNotBelowTheLossWindow) {
  CompoundDraft windows(authors_parameters());
  windows.set(1000);
  windows.grow(1000, 0);  // a delay window of 21.2
  windows.cut(10);
  EXPECT_EQ(windows.window(), 1011);
  windows.cut(40);
  EXPECT_EQ(windows.window(), 1000);
  EXPECT_EQ(windows.delay_window(), 0);
}

TEST(CompoundDraft, EstimatesTheBacklogFromTheRoundTrips) {
  const CompoundDraft windows(authors_parameters());
  EXPECT_DOUBLE_EQ(windows.backlog(120, 50 * kMillisecond, 60 * kMillisecond), 20);
  EXPECT_DOUBLE_EQ(windows.backlog(120, 50 * kMillisecond, 50 * kMillisecond), 0);
}

// Rounding must not take a packet more.
TEST(CompoundDraft, ShrinksBothWindowsInProportionToExactlySoManyPackets) {
  const double delay = std::pow(1000, 0.75) / 8 - 1;  // what grows of it in a round trip
  for (std::int32_t packets = 2; packets < 1000; ++packets) {
    CompoundDraft windows(authors_parameters());
    windows.set(1000);
    windows.grow(1000, 0);
    windows.shrink(packets);
    ASSERT_EQ(windows.window(), packets);
    ASSERT_EQ(windows.delay_window(), static_cast<int>(std::ceil(packets * delay / (1000 + delay))));
  }
}

TEST(CompoundLinux, RaisesToThreeQuartersByIntegerRoots) {
  // 256 w over the integer root of 65536 times the integer root of w.
  EXPECT_EQ(CompoundLinux::three_quarters_power(1), 1);
  EXPECT_EQ(CompoundLinux::three_quarters_power(100), 25600 / 809);       // root of 655360
  EXPECT_EQ(CompoundLinux::three_quarters_power(1500), 384000 / 1578);    // root of 65536 * 38
  EXPECT_EQ(CompoundLinux::three_quarters_power(10000), 2560000 / 2560);  // root of 6553600
}

TEST(CompoundLinux, KeepsTheBacklogInHalfPackets) {
  const CompoundLinux windows(authors_parameters());
  // 50,001 and 60,001 microseconds: 240 less the whole part of 240 * 50001 / 60001 = 200.0.
  EXPECT_DOUBLE_EQ(windows.backlog(120, 50 * kMillisecond, 60 * kMillisecond), 20);
  // 55,001 microseconds: 240 - 218 = 22 half packets.
  EXPECT_DOUBLE_EQ(windows.backlog(120, 50 * kMillisecond, 55 * kMillisecond), 11);
  EXPECT_DOUBLE_EQ(windows.backlog(120, 50 * kMillisecond, 50 * kMillisecond), 0);
}

TEST(CompoundLinux, SpreadsTheDelayWindowsGrowthOverHalfOfTheRoundTrip) {
  CompoundLinux windows(authors_parameters());
  windows.set(400);
  windows.grow(400,
               0);  // 89 >> 3 = 11, of which 10 for the delay window: one every 400 / 20 + 1 acknowledgements
  EXPECT_EQ(windows.window(), 400);
  std::vector<int> grown_at;
  for (int ack = 1; ack <= 400; ++ack) {
    const std::int32_t before = windows.delay_window();
    windows.on_ack();
    if (windows.delay_window() > before) {
      grown_at.push_back(ack);
    }
  }
  EXPECT_EQ(grown_at, (std::vector<int>{21, 42, 63, 84, 105, 126, 147, 168, 189, 210}));
}

TEST(CompoundLinux, HasNoDelayWindowBelow38Packets) {
  CompoundLinux windows(authors_parameters());
  windows.set(37);
  windows.grow(37, 0);
  for (int ack = 0; ack < 37; ++ack) {
    windows.on_ack();
  }
  EXPECT_EQ(windows.delay_window(), 0);
  EXPECT_EQ(windows.window(), 38);
}

TEST(CompoundLinux, ShrinksBothWindowsInProportion) {
  CompoundLinux windows(authors_parameters());
  windows.set(400);
  for (int round = 0; round < 10; ++round) {
    windows.grow(400, 0);
  }
  windows.cut(0);  // finishes the growth
  EXPECT_EQ(windows.window(), 500);
  EXPECT_EQ(windows.delay_window(), 100);
  windows.on_loss();
  EXPECT_EQ(windows.window(), 250);
  EXPECT_EQ(windows.delay_window(), 50);
}

// Section 5.2's suggestion: half of each step as long as a backlog is estimated.
TEST(CompoundDraft, HalvesItsStepsOnceABacklogIsEstimated) {
  auto parameters = authors_parameters();
  parameters.damping = 2;
  CompoundDraft windows(parameters);
  windows.set(1000);
  windows.grow(1000, 0);
  EXPECT_EQ(windows.window(), 1021);
  windows.set(1000);
  windows.grow(1000, 1);  // 22.2 / 2, less the loss window's 1
  EXPECT_EQ(windows.window(), 1010);
  windows.cut(8);
  EXPECT_EQ(windows.window(), 1006);
}

TEST(CompoundLinux, HalvesItsStepsOnceABacklogIsEstimated) {
  auto parameters = authors_parameters();
  parameters.damping = 2;
  for (const auto& [backlog, growth] : {std::pair(0, 10), {1, 4}}) {  // 11 - 1, and 11 / 2 - 1
    CompoundLinux windows(parameters);
    windows.set(400);
    windows.grow(400, backlog);
    windows.cut(0);  // finishes the growth
    EXPECT_EQ(windows.delay_window(), growth);
    windows.cut(6);
    EXPECT_EQ(windows.delay_window(), growth - 3);
  }
}

TEST(CompoundDraft, HalvesBothWindowsAfterALoss) {
  CompoundDraft windows(authors_parameters());
  windows.set(1000);
  windows.grow(1000, 0);  // a delay window of 21.2
  windows.on_loss();
  EXPECT_EQ(windows.window(), 510);
  EXPECT_EQ(windows.delay_window(), 11);
}

// One every 20 + 1 acknowledgements, counted from the round trip's beginning; a loss ends the growth.
TEST(CompoundLinux, CountsAcknowledgementsForItsGrowthAnewInEachRoundTrip) {
  CompoundLinux windows(authors_parameters());
  const auto acknowledge = [&windows](int acks) {
    for (int ack = 0; ack < acks; ++ack) {
      windows.on_ack();
    }
    return windows.delay_window();
  };
  windows.set(400);
  windows.grow(400, 0);
  EXPECT_EQ(acknowledge(15), 0);
  windows.grow(400, 0);  // finishes the ten
  EXPECT_EQ(acknowledge(20), 10);
  EXPECT_EQ(acknowledge(1), 11);
  windows.on_loss();
  EXPECT_EQ(acknowledge(100), 11 / 2);
}

TEST(CompoundLinux, GivesUpItsDelayWindowBelow38Packets) {
  for (const bool cut : {false, true}) {
    CompoundLinux windows(authors_parameters());
    windows.set(400);
    for (int round = 0; round < 10; ++round) {
      windows.grow(400, 0);
    }
    windows.cut(0);
    windows.shrink(37);
    ASSERT_EQ(windows.delay_window(), 7);
    cut ? windows.cut(1) : windows.grow(37, 0);
    EXPECT_EQ(windows.delay_window(), 0);
  }
}

template <class Windows>
class CompoundWindow : public testing::Test {};
using Arithmetics = testing::Types<CompoundDraft, CompoundLinux>;
TYPED_TEST_SUITE(CompoundWindow, Arithmetics);

// Acknowledges whole windows, a round trip each, of given round-trip times.
template <class Window>
void round_trips(Window& window, std::int32_t& una, const std::vector<Picoseconds>& times) {
  for (const Picoseconds time : times) {
    for (std::int32_t left = window.window(); left > 0; --left) {
      ++una;
      window.on_ack({.round_trip = time, .acked = 1, .una = una, .next = una + window.window()});
    }
  }
}

TYPED_TEST(CompoundWindow, CutsOnceARoundTripWhenTheBacklogReachesGamma) {
  Compound<TypeParam> window(authors_parameters());
  window.start(200, 2);
  std::int32_t una = 1;
  round_trips(window, una, std::vector<Picoseconds>(6, 50 * kMillisecond));
  EXPECT_GT(window.window(), 230);  // 6 or 7 packets a round trip
  EXPECT_FALSE(window.last_round_trip().cut);
  const std::int32_t before = window.window();
  round_trips(window, una, {65 * kMillisecond, 65 * kMillisecond});
  EXPECT_TRUE(window.last_round_trip().cut);
  EXPECT_GE(window.last_round_trip().backlog, 30);
  EXPECT_LT(window.window(), before);
}

TYPED_TEST(CompoundWindow, FollowsRenoWithoutADelayWindow) {
  auto parameters = authors_parameters();
  parameters.gamma_packets = 1;
  Compound<TypeParam> window(parameters);
  window.start(100, 2);
  std::int32_t una = 1;
  round_trips(window, una, {50 * kMillisecond});
  const std::int32_t before = window.window();
  round_trips(window, una, std::vector<Picoseconds>(20, 100 * kMillisecond));
  EXPECT_NEAR(window.window(), before + 20, 3);
}

// Packets 1 to 200 in a round trip of so many, by the samples of the first, of one in between and of the one
// that ends it.
template <class Window>
RoundTrip after(Window& window, Picoseconds first, Picoseconds between, Picoseconds last) {
  window.on_ack({.round_trip = first, .acked = 1, .una = 2, .next = 201});
  window.on_ack({.round_trip = between, .acked = 1, .una = 3, .next = 202});
  window.on_ack({.round_trip = last, .acked = 199, .una = 202, .next = 402});
  return window.last_round_trip();
}

TYPED_TEST(CompoundWindow, EstimatesTheBacklogFromTheLeastRoundTripsAndCutsFromGammaOn) {
  for (const double gamma : {100.0, 100.5}) {
    auto parameters = authors_parameters();
    parameters.gamma_packets = gamma;
    Compound<TypeParam> window(parameters);
    window.start(200, 2);
    const RoundTrip ended = after(window, 50 * kMillisecond, 100 * kMillisecond, 200 * kMillisecond);
    EXPECT_EQ(ended.backlog, 100);  // half of what was sent
    EXPECT_EQ(ended.cut, gamma == 100);
    window.start(200, 2);  // what the last connection measured is forgotten
    EXPECT_EQ(after(window, 100 * kMillisecond, 100 * kMillisecond, 100 * kMillisecond).backlog, 0);
  }
}

TYPED_TEST(CompoundWindow, EstimatesNothingInSlowStart) {
  Compound<TypeParam> window(authors_parameters());
  window.start(200, 1000);
  after(window, 50 * kMillisecond, 50 * kMillisecond, 100 * kMillisecond);
  EXPECT_EQ(window.round_trips(), 0);
}

TYPED_TEST(CompoundWindow, HalvesAndSetsTheThresholdAtALossAndBeginsFromOneAfterATimeout) {
  Compound<TypeParam> window(authors_parameters());
  window.start(100, 2);
  window.on_loss({});
  EXPECT_EQ(window.window(), 50);
  EXPECT_EQ(window.ssthresh(), 50);
  window.on_timeout({.una = 1, .next = 101});
  EXPECT_EQ(window.window(), 1);
  EXPECT_EQ(window.ssthresh(), 25);
}

TYPED_TEST(CompoundWindow, GrowsToTheReceiversWindow) {
  kit::Tcp tcp;
  tcp.rwnd_packets = 60;
  tcp.own = authors_parameters();
  Compound<TypeParam> window(tcp);
  window.start(55, 2);
  std::int32_t una = 1;
  round_trips(window, una, std::vector<Picoseconds>(12, 50 * kMillisecond));
  EXPECT_NEAR(window.window(), 60, 1);
}

}  // namespace
}  // namespace packetsim
