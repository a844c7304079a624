// A connection alone on its path against closed forms, to the picosecond.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "kit/tests/closed_forms.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/newreno.hpp"

namespace packetsim {
namespace {

Picoseconds simulated_on_time(Point point) {
  point.stop = {.connections = 1};
  return static_cast<Picoseconds>(simulate(point, 1).connections.duration);
}

// Bottleneck rate, egress rate, one half of the propagation time; with each the paths are unsaturated for
// some windows and saturated for others.
class IsolatedConnection : public testing::TestWithParam<std::tuple<double, double, double>> {};

TEST_P(IsolatedConnection, TakesTheClosedFormsTime) {
  const auto [bottleneck_rate, egress_rate, half_propagation_s] = GetParam();
  int unsaturated = 0;
  for (std::int32_t rwnd : {1, 2, 3, 4, 8, 12, 20, 44, 100}) {
    for (std::int32_t file = 3; file <= 400; ++file) {
      Point point = isolated_point(table_6_point(1, 1000), file);
      point.dumbbell().bottleneck.rate_bit_per_s = bottleneck_rate;
      point.dumbbell().egress.rate_bit_per_s = egress_rate;
      point.dumbbell().bottleneck.delay_s = point.return_delay_s = half_propagation_s;
      point.groups[0].tcp.rwnd_packets = rwnd;
      // Queues build up here that no timer should mistake for losses; that is another test's matter.
      point.groups[0].tcp.min_rto_s = point.groups[0].tcp.max_rto_s = 1000;
      const Path path = path_of(point);
      unsaturated += rwnd * path.slowest <= path.rtt;
      ASSERT_EQ(simulated_on_time(point), on_time(file, rwnd, path)) << "file " << file << ", rwnd " << rwnd;
    }
  }
  EXPECT_GT(unsaturated, 0);
}

INSTANTIATE_TEST_SUITE_P(Paths, IsolatedConnection,
                         testing::Values(std::tuple{10e6, 2e6, 0.02134}, std::tuple{10e6, 1e9, 0.02434},
                                         std::tuple{2e6, 1e9, 0.02194}, std::tuple{10e6, 2e6, 0.1463},
                                         std::tuple{1e9, 1e9, 0.0001}, std::tuple{7.3e6, 3.1e6, 0.0111}));

struct TimeoutLog : NoObserver {
  std::vector<std::int32_t> packets;
  void timed_out(std::int32_t, const TimeoutState& state, Picoseconds) { packets.push_back(state.packet); }
};

std::vector<std::int32_t> timeouts(std::int32_t file) {
  Dumbbell<NewReno, TimeoutLog> dumbbell(special_point(file, 44), 1);
  dumbbell.run_until_completed(1);
  return dumbbell.observer().packets;
}

// "with W_R = 44, and for file sizes between 54 and 106 packets, a spurious timeout occurs"
TEST(SpuriousTimeout, OccursForFilesFrom54To106Packets) {
  for (std::int32_t file = 3; file <= 160; ++file) {
    EXPECT_EQ(timeouts(file).empty(), file < 54 || file > 106) << "file " << file;
  }
}

// "For F = 54, a timeout occurs for packet '54', for F = 106 it occurs for packet '90'."
TEST(SpuriousTimeout, HitsThePacketsThatThePaperNames) {
  ASSERT_FALSE(timeouts(54).empty());
  EXPECT_EQ(timeouts(54).front(), 54);
  ASSERT_FALSE(timeouts(106).empty());
  EXPECT_EQ(timeouts(106).front(), 90);
}

// F 347 with W_R 8 and 44: 15526.35 and 13319.32 ms, computed from RTT_0 rounded to 341.83 ms. That is 45 and
// 4 round trips, each up to 0.005 ms off, and the printed digit.
TEST(SpecialSetting, TakesThePrintedTimes) {
  EXPECT_NEAR(seconds(simulated_on_time(special_point(347, 8))), 15.52635, 45 * 5e-6 + 5e-6);
  EXPECT_NEAR(seconds(simulated_on_time(special_point(347, 44))), 13.31932, 4 * 5e-6 + 5e-6);
}

}  // namespace
}  // namespace packetsim
