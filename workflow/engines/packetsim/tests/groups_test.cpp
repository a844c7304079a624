// Several groups of sources that share a bottleneck.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

Json metrics_of(const Point& point) { return run_json(point, 5, simulate(point, 5), kEngine)["metrics"]; }

struct Case {
  const char* variant;
  Bottleneck::Queue queue;
};

class AlikeGroups : public testing::TestWithParam<Case> {};

// A group split in two is the same sources: packet by packet the same happens.
TEST_P(AlikeGroups, GiveTheNumbersOfOneGroup) {
  Point point = table_6_point(40, 30);
  point.dumbbell().bottleneck.queue = GetParam().queue;
  point.dumbbell().bottleneck.loss_probability = 0.005;
  point.groups[0].tcp.variant = GetParam().variant;
  point.stop.connections = 2000;
  point.stop.warmup_connections = 200;
  const Json one = metrics_of(point);
  point.groups.push_back(point.groups[0]);
  point.groups[0].name = "first";
  point.groups[0].count = 15;
  point.groups[1].count = 25;
  const Json two = metrics_of(point);
  for (const auto& [name, metric] : one.items()) {
    EXPECT_EQ(two[name], metric) << name;
  }
  const auto value = [&](const std::string& name) { return two[name]["value"].get<double>(); };
  EXPECT_NEAR(value("goodput[first]") + value("goodput[sources]"), value("goodput"), 1e-9 * value("goodput"));
  EXPECT_GT(value("goodput_per_connection[first]"), 0);
}

INSTANTIATE_TEST_SUITE_P(Variants, AlikeGroups,
                         testing::Values(Case{"newreno", Bottleneck::Queue::kDropTail},
                                         Case{"reno", Bottleneck::Queue::kDropTail},
                                         Case{"tahoe", Bottleneck::Queue::kDropTail},
                                         Case{"newreno", Bottleneck::Queue::kFairIndividual},
                                         Case{"reno", Bottleneck::Queue::kFairShared}));

// Windows of `rwnd` packets that the path holds without a queue: each source gets rwnd / RTT.
TEST(Groups, WithSmallWindowsGetAWindowARoundTrip) {
  Point point = bulk_point();
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 1e9, .delay_s = 0.05}, 0, 1000};
  point.return_delay_s = 0.04;
  point.groups[0].access = {.rate_bit_per_s = 1e12, .delay_s = 0.01};
  point.groups[0].tcp.rwnd_packets = 20;
  point.groups[0].tcp.clock_tick_s = 0;
  point.groups[0].count = 3;
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "far";
  point.groups[1].count = 1;
  point.groups[1].extra_delay_s = 0.1;
  point.groups[1].tcp.variant = "newreno";
  point.groups[1].tcp.rwnd_packets = 10;
  point.stop.duration_s = 1000;
  point.stop.warmup_s = 100;
  const Json metrics = metrics_of(point);
  const auto value = [&](const char* name) { return metrics[name]["value"].get<double>(); };
  const double near = 20 / 0.1;
  const double far = 10 / 0.2;
  // Transmission times are 10 us in 100 ms, and the run may end within a round trip.
  EXPECT_NEAR(value("goodput[sources]"), 3 * near, 1e-3 * 3 * near);
  EXPECT_NEAR(value("goodput[far]"), far, 1e-3 * far);
  EXPECT_NEAR(value("rtt_path_mean[sources]"), 0.1, 1e-3 * 0.1);
  EXPECT_NEAR(value("rtt_path_mean[far]"), 0.2, 1e-3 * 0.2);
  point.probes.window_trace = true;
  const ProbeResults probes = simulate(point, 5).probes;
  ASSERT_EQ(probes.traces.size(), 2U);
  EXPECT_EQ(probes.traces[0].name, "window[sources]");
  EXPECT_EQ(probes.traces[0].value, std::vector<double>{20});
  EXPECT_EQ(probes.traces[1].name, "window[far]");
  EXPECT_EQ(probes.traces[1].value, std::vector<double>{10});
  const double sum = 3 * near + far;
  EXPECT_NEAR(value("goodput_share[sources]"), 3 * near / sum, 1e-3);
  EXPECT_NEAR(value("goodput_share[far]"), far / sum, 1e-3);
  EXPECT_NEAR(value("fairness_index"), sum * sum / (4 * (3 * near * near + far * far)), 1e-3);
}

}  // namespace
}  // namespace packetsim
