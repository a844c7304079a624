// An isolated Compound TCP flow: the paper's cases, and its fluid model's times.

#include "tcp/compound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit/probes/compound_cycles.hpp"
#include "kit/probes/loss_events.hpp"
#include "kit/tests/compound_points.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/compound_draft.hpp"
#include "tcp/compound_linux.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

// The settings of figures 6 to 11 and their cases.
struct Setting {
  double mbit_per_s;
  double propagation_s;
  std::int32_t buffer;
  double gamma;
  std::int32_t expected_case;
};

class PaperCases : public testing::TestWithParam<std::tuple<Setting, bool>> {};

template <class Windows>
struct IsolatedFlow : Dumbbell<Compound<Windows>, kit::LossEvents> {
  IsolatedFlow(const Point& point, std::uint64_t seed)
      : Dumbbell<Compound<Windows>, kit::LossEvents>(point, seed, kit::LossEvents(point)) {}
};

template <class Windows>
std::pair<Measurements, std::vector<CompoundCycle>> run_isolated_flow(const Point& point, std::int64_t events,
                                                                      std::int32_t& path_packets) {
  IsolatedFlow<Windows> flow(point, 1);
  flow.run_until_loss_event(3);
  flow.restart_measurements();
  flow.run_until_loss_event(3 + events);
  path_packets = flow.observer().path_packets();
  return {flow.measurements(), flow.observer().cycles()};
}

TEST_P(PaperCases, TakePlace) {
  const auto [setting, integers] = GetParam();
  Point point = isolated_flow_point(setting.mbit_per_s * 1e6, setting.propagation_s, setting.buffer);
  compound_of(point).gamma_packets = setting.gamma;
  std::int32_t path_packets = 0;
  const auto [measured, cycles] = integers ? run_isolated_flow<CompoundLinux>(point, 5, path_packets)
                                           : run_isolated_flow<CompoundDraft>(point, 5, path_packets);
  ASSERT_EQ(cycles.size(), 5U);
  for (const CompoundCycle& cycle : cycles) {
    EXPECT_EQ(cycle.compound_case(path_packets), setting.expected_case);
    // Sections 4.2 to 4.6: single drops exactly where the window grows linearly.
    EXPECT_EQ(cycle.drops == 1, setting.expected_case >= 4 || setting.expected_case == 1);
    EXPECT_GE(cycle.halvings, 1);
  }
  const Counters& counters = measured.counters;
  EXPECT_EQ(counters.packets_sent, counters.packets_delivered + counters.packets_dropped +
                                       counters.packets_lost + counters.packets_in_flight);
}

INSTANTIATE_TEST_SUITE_P(Figures6To11, PaperCases,
                         testing::Combine(testing::Values(Setting{100, 0.05, 10, 30, 1},  //
                                                          Setting{100, 0.05, 25, 30, 2},  //
                                                          Setting{50, 0.02, 85, 90, 3},   //
                                                          Setting{100, 0.05, 80, 30, 4},  //
                                                          Setting{100, 0.05, 420, 30, 5},
                                                          Setting{100, 0.05, 500, 30, 6}),
                                          testing::Bool()));

// Section 4.6: with linear growth from half of the greatest window to all of it, and a round trip of
// recovery, the cycle lasts (w^2 - (w/2)^2) / (2 mu) + w / mu; the drop is heard of another round trip after
// it happened.
TEST(IsolatedFlow, TakesTheFluidModelsTimeBetweenSingleLosses) {
  const Point point = isolated_flow_point(100e6, 0.05, 500);
  IsolatedFlow<CompoundDraft> flow(point, 1);
  flow.run_until_loss_event(3);
  flow.restart_measurements();
  flow.run_until_loss_event(5);
  const double rate = 100e6 / 12000;
  const double full = rate * 0.05 + 500;
  const double expected = full * full * 3 / 8 / rate + 2 * full / rate;
  EXPECT_NEAR(seconds(flow.measurements().measured) / 2, expected, 0.002 * expected);
}

// A stop rule of any variant: NewReno's window grows linearly from half of what the path and the buffer hold,
// by a packet a round trip, until one packet is dropped.
TEST(LossEvents, TakeTheFluidModelsTimeOfAReno) {
  Point point = isolated_flow_point(100e6, 0.05, 500);
  point.groups.front().tcp.own = {};
  const double rate = 100e6 / 12000;
  const double full = rate * 0.05 + 500;
  for (const char* variant : {"newreno-sack", "newreno"}) {
    point.groups.front().tcp.variant = variant;
    const Measurements measured = simulate(point, 1);
    const double expected = full * full * 3 / 8 / rate + 2 * full / rate;
    EXPECT_NEAR(seconds(measured.measured) / 5, expected, 0.004 * expected) << variant;
    for (const Metric& metric : measured.probes.metrics) {
      EXPECT_NE(metric.name, "case") << variant;  // nobody tells of its round trips
      if (metric.name.starts_with("drops_per_loss_event")) {
        EXPECT_EQ(metric.value, 1) << variant;
      }
    }
  }
}

// Sections 4.2 and 4.3: with the recovery of the authors' simulator, the window is cut twice where drops fall
// into two round trips, and once where there is one drop.
TEST(IsolatedFlow, CutsTheWindowTwiceAfterManyDropsWithRateHalving) {
  const auto cycles_of = [](const Setting& setting) {
    Point point = isolated_flow_point(setting.mbit_per_s * 1e6, setting.propagation_s, setting.buffer);
    compound_of(point).gamma_packets = setting.gamma;
    compound_of(point).rate_halving = true;
    std::int32_t path_packets = 0;
    return run_isolated_flow<CompoundLinux>(point, 5, path_packets).second;
  };
  for (const Setting& setting : {Setting{100, 0.05, 25, 30, 2}, Setting{50, 0.02, 85, 90, 3}}) {
    for (const CompoundCycle& cycle : cycles_of(setting)) {
      EXPECT_EQ(cycle.halvings, 2);
      EXPECT_LT(cycle.window_after_loss, 0.35 * cycle.window_at_loss);
    }
  }
  for (const CompoundCycle& cycle : cycles_of({100, 0.05, 80, 30, 4})) {
    EXPECT_EQ(cycle.drops, 1);
    EXPECT_EQ(cycle.halvings, 1);
  }
}

TEST(IsolatedFlow, OscillatesThreeToOneAtTheSettingOfFigure2) {
  const Point point = isolated_flow_point(100e6, 0.05, 100);
  std::int32_t path_packets = 0;
  const auto [measured, cycles] = run_isolated_flow<CompoundLinux>(point, 1, path_packets);
  const auto& oscillations = cycles.at(0).oscillations;
  ASSERT_GT(oscillations.size(), 20U);
  int three_to_one = 0;
  for (const Oscillation& oscillation : oscillations) {
    three_to_one += oscillation.growths == 3 && oscillation.cuts == 1;
  }
  EXPECT_GT(three_to_one, static_cast<int>(oscillations.size() * 9 / 10));
}

}  // namespace
}  // namespace packetsim
