// What a run measures: all of its time but the warm-up, and transfers from their start to their end.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "kit/main/run.hpp"
#include "kit/tests/point_json.hpp"
#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/reno.hpp"

namespace packetsim {
namespace {

TEST(MeasuredTime, TheMonitorsSeeAllOfTheTime) {
  const Measurements measured = simulate(table_6_point(50, 100), 1);
  const auto total = [](const auto& times) {
    return std::accumulate(times.begin(), times.end(), Picoseconds{0});
  };
  EXPECT_EQ(total(measured.queue_time_at), measured.end);
  EXPECT_EQ(total(measured.active_time_at), measured.end);
}

TEST(MeasuredTime, TheWarmUpIsLeftOut) {
  Point point = table_6_point(50, 100);
  point.stop.warmup_connections = 500;
  const Measurements measured = simulate(point, 1);
  EXPECT_EQ(measured.connections.connections, 1000);
  EXPECT_EQ(measured.counters.connections_completed, 1500);
  EXPECT_LT(std::accumulate(measured.queue_time_at.begin(), measured.queue_time_at.end(), Picoseconds{0}),
            measured.end);
}

// Little's law, exactly: connection time summed over connections is the time integral of their number. With
// sources that stop at the same instant as the run, what is still active at the end is all that may differ.
TEST(MeasuredTime, ActiveConnectionsFollowLittlesLaw) {
  Point point = table_6_point(60, 200);
  point.stop.connections = 200'000;
  const Measurements measured = simulate(point, 2);
  double integral = 0;
  for (std::size_t active = 0; active < measured.active_time_at.size(); ++active) {
    integral += static_cast<double>(active) * seconds(measured.active_time_at[active]);
  }
  // The monitor starts a connection when its first packet reaches the bottleneck, one transmission time
  // later.
  const double expected = seconds(measured.connections.duration) -
                          static_cast<double>(measured.connections.connections) * 1500 * 8 / 100e6;
  EXPECT_NEAR(integral / expected, 1, 60.0 / 200'000);
}

// When each source sends its first packet.
struct FirstPackets : NoObserver {
  void packet_sent(std::int32_t flow, std::int32_t /*packet*/, Picoseconds now) { at.try_emplace(flow, now); }
  std::map<std::int32_t, Picoseconds> at;
};

std::map<std::int32_t, Picoseconds> first_packets(double start_spread_s, std::uint64_t seed) {
  Point point = bulk_point();
  point.groups[0].count = 8;
  point.groups[0].workload.start_spread_s = start_spread_s;
  Dumbbell<Reno, FirstPackets> dumbbell(point, seed);
  dumbbell.run_until(picoseconds(1));
  return dumbbell.observer().at;
}

TEST(BulkSources, BeginAtTimesOfTheirOwnThatTheSeedDecides) {
  const auto starts = first_packets(0.3, 1);
  EXPECT_EQ(starts.size(), 8U);
  std::set<Picoseconds> different;
  for (const auto& [flow, start] : starts) {
    EXPECT_GT(start, 0) << flow;
    EXPECT_LE(start, picoseconds(0.3)) << flow;
    different.insert(start);
  }
  EXPECT_EQ(different.size(), 8U);
  EXPECT_EQ(first_packets(0.3, 1), starts);
  EXPECT_NE(first_packets(0.3, 2), starts);
}

TEST(BulkSources, BeginTogetherWithoutASpread) {
  for (const auto& [flow, start] : first_packets(0, 1)) {
    EXPECT_EQ(start, 0) << flow;
  }
}

// A window of one packet: each takes a round trip of 50 ms and its three transmission times of 1 ms.
TEST(BulkSources, ATransferEndsWithItsLastAcknowledgement) {
  Json json = compound_json();
  json["sources"][0]["tcp"] = {{"variant", "newreno"},
                               {"rwnd_packets", 1},
                               {"initial_window_packets", 1},
                               {"min_rto_s", 1},
                               {"max_rto_s", 64}};
  json["packet_bytes"] = 1250;
  json["sources"][0]["access"]["rate_bit_per_s"] = 1e7;
  json["links"]["egress"]["rate_bit_per_s"] = 1e7;
  json["stop"] = {{"transfer_packets", 200}};
  json["probes"] = Json::array();
  const Point point = parse_point(json, "point.json");
  const auto run = run_json(point, 7, simulate(point, 7), kEngine);
  EXPECT_NEAR(run["simulated_s"].get<double>(), 200 * 0.053, 1e-9);
  EXPECT_NEAR(run["metrics"]["goodput"]["value"].get<double>(), 1 / 0.053, 1e-9);
  EXPECT_EQ(run["counters"]["packets_sent"], 200);
  EXPECT_EQ(run["counters"]["connections_completed"], 1);
}

}  // namespace
}  // namespace packetsim
