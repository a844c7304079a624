// Packets are neither made nor lost anywhere, and a seed decides everything.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/newreno.hpp"
#include "tcp/reno.hpp"

namespace packetsim {
namespace {

void expect_conserved(const Measurements& measured) {
  const Counters& c = measured.counters;
  EXPECT_EQ(c.packets_sent, c.packets_delivered + c.packets_dropped + c.packets_lost + c.packets_in_flight);
}

template <class Dumbbell>
void expect_conserved_at_every_stop(Bottleneck::Queue queue) {
  for (const std::int32_t buffer : {1, 5, 50, 1000}) {
    for (const double loss : {0.0, 0.02}) {
      Point point = table_6_point(120, buffer);
      point.dumbbell().bottleneck.loss_probability = loss;
      point.dumbbell().bottleneck.queue = queue;
      Dumbbell dumbbell(point, 3);
      std::int64_t in_flight_at_stops = 0;
      for (std::int64_t stop = 1; stop <= 400; ++stop) {
        dumbbell.run_until_completed(stop * 7);
        expect_conserved(dumbbell.measurements());
        in_flight_at_stops += dumbbell.measurements().counters.packets_in_flight;
      }
      const Measurements end = dumbbell.measurements();
      EXPECT_GT(in_flight_at_stops, 0);
      EXPECT_EQ(end.counters.packets_lost > 0, loss > 0);
      EXPECT_EQ(end.queue_drops, end.counters.packets_dropped);
      const bool can_overflow = buffer < (queue == Bottleneck::Queue::kFairIndividual ? 44 : 1000);
      EXPECT_EQ(end.counters.packets_dropped > 0, can_overflow);
    }
  }
}

TEST(Conservation, HoldsAtEveryStop) {
  expect_conserved_at_every_stop<Dumbbell<NewReno>>(Bottleneck::Queue::kDropTail);
}

TEST(Conservation, HoldsAtEveryStopWithFairQueueing) {
  using FairDumbbell = Dumbbell<Reno, NoObserver, FairQueue>;
  expect_conserved_at_every_stop<FairDumbbell>(Bottleneck::Queue::kFairIndividual);
  expect_conserved_at_every_stop<FairDumbbell>(Bottleneck::Queue::kFairShared);
}

TEST(Conservation, EveryPacketOfAFileIsDelivered) {
  Point point = table_6_point(100, 20);
  Dumbbell<NewReno> dumbbell(point, 5);
  dumbbell.run_until_completed(5000);
  const Measurements end = dumbbell.measurements();
  EXPECT_GE(end.counters.packets_delivered, end.connections.packets);
}

TEST(Conservation, TheMonitorsSeeAllOfTheTime) {
  const Measurements measured = simulate(table_6_point(50, 100), 1);
  const auto total = [](const auto& times) {
    return std::accumulate(times.begin(), times.end(), Picoseconds{0});
  };
  EXPECT_EQ(total(measured.queue_time_at), measured.end);
  EXPECT_EQ(total(measured.active_time_at), measured.end);
}

TEST(Conservation, TheWarmUpIsLeftOut) {
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
TEST(Conservation, ActiveConnectionsFollowLittlesLaw) {
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

TEST(Reproducibility, TheSeedDecidesEverything) {
  const Point point = table_6_point(134, 50);
  const auto bytes = [&](std::uint64_t seed) {
    return run_json(point, seed, simulate(point, seed), kEngine).dump();
  };
  EXPECT_EQ(bytes(11), bytes(11));
  EXPECT_NE(bytes(11), bytes(12));
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

}  // namespace
}  // namespace packetsim
