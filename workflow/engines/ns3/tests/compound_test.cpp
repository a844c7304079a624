// SPDX-License-Identifier: GPL-2.0-only
// Compound TCP against its draft, the integers of the Linux module, and the paper's oscillations (Blanc,
// Collange and Avrachenkov 2008).

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "kit/tests/compound_points.hpp"
#include "simulation.hpp"
#include "tcp/compound_windows.hpp"

namespace tcp_atlas {
namespace {

constexpr CompoundConstants kAuthors{.alpha = 0.125, .k = 0.75, .beta = 0.5, .zeta = 1, .damping = 1};

// 100^(3/4) / 8 = 3.95 packets, of which the loss window gives one.
TEST(CompoundFloatWindows, GrowByThreePointNineFivePacketsAtAWindowOf100) {
  CompoundFloatWindows windows(kAuthors);
  windows.Set(100);
  const auto round_trip = [&windows] {
    windows.Grow(windows.GetWindow(), 0);
    for (std::uint32_t ack = windows.GetWindow(); ack > 0; --ack) {
      windows.Ack();
    }
  };
  round_trip();
  EXPECT_EQ(windows.GetWindow(), 103U);  // 103.95
  windows.Set(100);
  windows.Grow(100, 0);
  EXPECT_EQ(windows.GetDelayWindow(), 3U);  // 2.95, rounded up
  // Ten round trips from 100: w grows by w^(3/4) / 8 in each, that is w^(1/4) by 10/32.
  windows.Set(100);
  for (int i = 0; i < 10; ++i) {
    round_trip();
  }
  EXPECT_NEAR(windows.GetWindow(), std::pow(std::pow(100, 0.25) + 10.0 / 32, 4), 2);
}

TEST(CompoundFloatWindows, FallByZetaTimesTheWholeBacklog) {
  CompoundFloatWindows windows({.alpha = 0.125, .k = 0.75, .beta = 0.5, .zeta = 0.5, .damping = 1});
  EXPECT_DOUBLE_EQ(windows.Backlog(120, 0.05, 0.06), 20);  // packets, not bytes, of the window before
  windows.Set(1000);
  windows.Grow(1000, 0);  // 22.2 - 1 packets of delay window
  windows.Cut(20);
  EXPECT_EQ(windows.GetWindow(), 1011U);
  windows.Cut(1000);
  EXPECT_EQ(windows.GetWindow(), 1000U);  // never below the loss window
}

// Rounding must not take a packet more.
TEST(CompoundFloatWindows, ShrinkInProportionToExactlySoManyPackets) {
  const double delay = std::pow(1000, 0.75) / 8 - 1;  // what grows of it in a round trip
  for (std::uint32_t packets = 2; packets < 1000; ++packets) {
    CompoundFloatWindows windows(kAuthors);
    windows.Set(1000);
    windows.Grow(1000, 0);
    windows.ShrinkTo(packets);
    ASSERT_EQ(windows.GetWindow(), packets);
    ASSERT_EQ(windows.GetDelayWindow(), std::ceil(packets * delay / (1000 + delay)));
  }
}

TEST(CompoundLinuxWindows, RaiseToThreeQuartersByIntegerRoots) {
  EXPECT_EQ(CompoundLinuxWindows::ThreeQuartersPower(0), 0U);
  EXPECT_EQ(CompoundLinuxWindows::ThreeQuartersPower(1), 1U);
  EXPECT_EQ(CompoundLinuxWindows::ThreeQuartersPower(100), 25600U / 809);       // root of 655360
  EXPECT_EQ(CompoundLinuxWindows::ThreeQuartersPower(1500), 384000U / 1578);    // root of 65536 * 38
  EXPECT_EQ(CompoundLinuxWindows::ThreeQuartersPower(10000), 2560000U / 2560);  // root of 6553600
}

// At 100: 31 >> 3 = 3 packets a round trip, one of them the loss window's.
TEST(CompoundLinuxWindows, GrowByWholePackets) {
  CompoundLinuxWindows windows(kAuthors);
  windows.Set(100);
  windows.Grow(100, 0);
  for (int ack = 0; ack < 103; ++ack) {
    windows.Ack();
  }
  EXPECT_EQ(windows.GetDelayWindow(), 2U);
  EXPECT_EQ(windows.GetWindow(), 103U);
  windows.Set(37);
  windows.Grow(37, 0);
  EXPECT_EQ(windows.GetDelayWindow(), 0U);  // below 38 there is none
}

// 400 and a delay window of 100, to a third.
TEST(CompoundLinuxWindows, ShrinkInProportion) {
  CompoundLinuxWindows windows(kAuthors);
  windows.Set(400);
  for (int round = 0; round < 10; ++round) {
    windows.Grow(400, 0);  // 89 >> 3 = 11 packets, one of them the loss window's
  }
  windows.Cut(0);  // finishes the growth
  windows.ShrinkTo(166);
  EXPECT_EQ(windows.GetWindow(), 166U);
  EXPECT_EQ(windows.GetDelayWindow(), 33U);
}

// 50,001 and 55,001 microseconds: 240 half packets less the whole part of 240 * 50001 / 55001 = 218.2.
TEST(CompoundLinuxWindows, KeepTheBacklogInHalfPackets) {
  EXPECT_DOUBLE_EQ(CompoundLinuxWindows(kAuthors).Backlog(120, 0.05, 0.055), 11);
}

double metric(const kit::Measurements& measured, const std::string& name) {
  for (const kit::Metric& found : measured.probes.metrics) {
    if (found.name == name) {
      return found.value;
    }
  }
  return NAN;
}

// Section 3.2, equations 13 and 14: the window with which a 3:1 oscillation begins, where w grows three times
// by alpha w^k and falls by the backlog of the second.
struct Fixed {
  double lowest;
  double highest;
};
Fixed three_to_one(double path) {
  const auto grown = [](double w) { return w + std::pow(w, 0.75) / 8; };
  Fixed found{};
  double low = path / 2;
  double high = 10 * path;
  for (int i = 0; i < 60; ++i) {
    const double first = (low + high) / 2;
    const double second = grown(first);
    const double third = grown(second);
    found = {.lowest = first, .highest = grown(third)};
    (found.highest - third * (1 - path / (second + 1)) + 1 > first ? low : high) = first;
  }
  return found;
}

// Figure 9: 100 Mbit/s, 50 ms, a buffer of 80 packets. All four phases take place, one packet is dropped, the
// buffer overflows at what the path and the buffer hold, and in phase 3 the window oscillates 3:1.
TEST(LossEvents, ShowsCase4) {
  kit::Point point = kit::isolated_flow_point(100e6, 0.05, 80);
  compound_of(point).linux_integers = false;
  point.stop.warmup_loss_events = 1;  // the first slow start's many drops
  point.stop.loss_events = 1;
  const kit::Measurements measured = Simulation(point, 1).run();
  const double path = 100e6 * 0.05 / 12000;
  EXPECT_EQ(metric(measured, "case"), 4);
  EXPECT_EQ(metric(measured, "drops_per_loss_event"), 1);
  EXPECT_NEAR(metric(measured, "window_at_loss"), path + 80, 2);
  EXPECT_EQ(metric(measured, "oscillation_growths"), 3);
  EXPECT_EQ(metric(measured, "oscillation_cuts"), 1);
  const Fixed expected = three_to_one(path);
  EXPECT_NEAR(metric(measured, "theta_min"), expected.lowest, 4);
  EXPECT_NEAR(metric(measured, "theta_max"), expected.highest, 4);
  EXPECT_LT(metric(measured, "theta_max"), path + 80);  // else phase 3 would not take place
}

}  // namespace
}  // namespace tcp_atlas
