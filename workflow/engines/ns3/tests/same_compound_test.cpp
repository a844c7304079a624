// SPDX-License-Identifier: GPL-2.0-only
// An isolated Compound TCP connection in both engines: the same windows at the same picosecond.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/probes/loss_events.hpp"
#include "kit/tests/compound_points.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "simulation.hpp"
#include "tcp/compound.hpp"
#include "tcp/compound_draft.hpp"
#include "tcp/compound_linux.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;
using kit::Point;

struct Step {
  Picoseconds time;
  std::int64_t window;

  bool operator==(const Step&) const = default;
};

void PrintTo(const Step& step, std::ostream* stream) {
  *stream << "window " << step.window << " at " << step.time << " ps";
}

template <class Windows>
std::vector<Step> packetsim_windows(const Point& point) {
  packetsim::Dumbbell<packetsim::Compound<Windows>, kit::LossEvents> flow(point, 7, kit::LossEvents(point));
  flow.run_until_loss_event(point.stop.loss_events + 1);
  std::vector<Step> steps;
  for (const auto& step : flow.observer().trace()) {
    steps.push_back({step.time, step.window});
  }
  return steps;
}

std::vector<Step> ns3_windows(const Point& point) {
  Simulation flow(point, 7);
  std::vector<Step> steps;
  const auto record = [&steps](std::uint32_t window) { steps.push_back({now(), window}); };
  flow.sender(0).TraceConnectWithoutContext(
      "RoundTripEnded",
      ns3::Callback<void, const PacketCompound::RoundTripEnd&>(
          [&](const PacketCompound::RoundTripEnd&) { record(flow.sender(0).GetWindow()); }));
  flow.sender(0).TraceConnectWithoutContext("Cut", ns3::Callback<void, std::uint32_t, std::uint32_t>(
                                                       [&](std::uint32_t before, std::uint32_t after) {
                                                         record(before);
                                                         record(after);
                                                       }));
  flow.run();
  return steps;
}

// 12 ns in and out and 600 us at the bottleneck: whole picoseconds.
Point network(std::int32_t buffer, bool linux_integers, double propagation_s = 0.05) {
  Point point = kit::isolated_flow_point(20e6, propagation_s, buffer);
  compound_of(point).linux_integers = linux_integers;
  compound_of(point).gamma_packets = 10;
  point.stop.warmup_loss_events = 0;
  point.stop.loss_events = 4;
  return point;
}

void expect_same_windows(const Point& point) {
  const auto expected = compound_of(point).linux_integers
                            ? packetsim_windows<packetsim::CompoundLinux>(point)
                            : packetsim_windows<packetsim::CompoundDraft>(point);
  const auto actual = ns3_windows(point);
  ASSERT_GT(expected.size(), 50U);
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    ASSERT_EQ(actual[i], expected[i]) << "step " << i << " of " << expected.size();
  }
  EXPECT_EQ(actual.size(), expected.size());
}

class SameCompound : public testing::TestWithParam<bool> {};  // in the Linux module's integers

TEST_P(SameCompound, WhereTheBufferOverflowsBeforeTheWindowStopsGrowing) {
  expect_same_windows(network(5, GetParam()));
}

TEST_P(SameCompound, ThroughAllPhases) { expect_same_windows(network(40, GetParam())); }

TEST_P(SameCompound, WithSmallerStepsOnceABacklogIsEstimated) {
  Point point = network(40, GetParam());
  compound_of(point).damping = 2;
  expect_same_windows(point);
}

TEST_P(SameCompound, WithRandomLoss) {
  Point point = network(5, GetParam());
  point.dumbbell().bottleneck.loss_probability = 0.001;
  expect_same_windows(point);
}

TEST_P(SameCompound, WithRateHalvingWhereTheBufferOverflowsBeforeTheWindowStopsGrowing) {
  Point point = network(5, GetParam());
  compound_of(point).rate_halving = true;
  expect_same_windows(point);
}

TEST_P(SameCompound, WithRateHalvingThroughAllPhases) {
  Point point = network(40, GetParam());
  compound_of(point).rate_halving = true;
  expect_same_windows(point);
}

TEST_P(SameCompound, WithRateHalvingAndRandomLoss) {
  Point point = network(5, GetParam());
  compound_of(point).rate_halving = true;
  point.dumbbell().bottleneck.loss_probability = 0.001;
  expect_same_windows(point);
}

// Windows so small and losses so frequent that three packets seldom tell of one.
TEST_P(SameCompound, WithTimeoutsOnAClockThatTicks) {
  for (const bool rate_halving : {false, true}) {
    Point point = network(2, GetParam(), 0.005);
    compound_of(point).rate_halving = rate_halving;
    point.groups[0].tcp.clock_tick_s = 0.3;
    point.dumbbell().bottleneck.loss_probability = 0.05;
    expect_same_windows(point);
  }
}

INSTANTIATE_TEST_SUITE_P(Arithmetics, SameCompound, testing::Bool());

// Measurements begin and end with a drop. In packetsim that is when the dropped packet is sent, 12 ns before
// it reaches the buffer: what is sent with it falls on the other side.
TEST(SameCompoundRun, GivesTheSameMetrics) {
  Point point = network(40, true);
  point.stop.warmup_loss_events = 1;
  const auto expected = kit::run_json(point, 7, packetsim::simulate(point, 7), packetsim::kEngine)["metrics"];
  const auto actual = kit::run_json(point, 7, Simulation(point, 7).run(), packetsim::kEngine)["metrics"];
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_EQ(actual["case"]["value"], 4);
  for (const auto& [name, metric] : expected.items()) {
    EXPECT_NEAR(actual[name]["value"].get<double>(), metric["value"].get<double>(),
                1e-3 * metric["value"].get<double>())
        << name;
  }
}

}  // namespace
}  // namespace tcp_atlas
