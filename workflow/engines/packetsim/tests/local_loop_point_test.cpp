// Points of local loops, and the runs that come of them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kit/local_loop/settings_of.hpp"
#include "kit/tests/compound_points.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "network/local_loop.hpp"
#include "run/simulate.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

using kit::local_loop_points::bulk;
using kit::local_loop_points::expect_distributions_add_up_to_one;
using kit::local_loop_points::expect_packets_counted_and_link_shared;
using kit::local_loop_points::metric;
using kit::local_loop_points::web;

Json run(const Json& json, std::uint64_t seed) {
  const Point point = parse_point(json, "point.json");
  return run_json(point, seed, simulate(point, seed), kEngine);
}

TEST(LocalLoopPoint, OfTheFixedPointHasTheWarmUpAlone) {
  Json json = web();
  json["fixed_point"].update(Json::parse(R"({"scheme": "2", "references": 3})"));
  const Point point = parse_point(json, "point.json");
  EXPECT_EQ(point.stop.warmup_packets, 6000);
  EXPECT_EQ(point.stop.packets, 5000);
  EXPECT_EQ(point.fixed_point->environment, 0.05);
  EXPECT_EQ(run(json, 1)["metrics"], run(web(), 1)["metrics"]);
}

TEST(LocalLoopRun, CountsEveryPacketAndSharesTheLink) {
  const Json result = run(bulk(), 1);
  expect_packets_counted_and_link_shared(result);
  EXPECT_NEAR(metric(result, "utilisation"), 1, 1e-3);
  expect_distributions_add_up_to_one(run(web(), 3));
}

// Users without end whose stations of their own come before and behind a drop-tail queue: the same network is
// a dumbbell, with another simulation, and after any time the same has been sent and acknowledged in both.
template <class Congestion>
class OnBothTopologies : public testing::Test {
 protected:
  // The dumbbell that a local loop of three stations is, for a variant and a time to stop.
  static Point dumbbell_of(Point point, const kit::Stop& stop) {
    point.groups[0].tcp.variant = Congestion::kName;
    point.stop = stop;
    const std::vector<kit::Station> stations = std::get<kit::LocalLoop>(point.topology).stations;
    point.topology =
        kit::Dumbbell{.bottleneck = {stations[1], 0, stations[1].buffer_packets}, .egress = stations[2]};
    point.groups[0].access = stations[0];
    return point;
  }

  static std::vector<std::optional<kit::DelayedAck>> receivers() {
    return {std::nullopt, kit::DelayedAck{.packets = 2, .timeout_s = 0.0407, .quick_acks = 3}};
  }
};
using EveryVariant = testing::Types<NewReno, Reno, Tahoe, RenoWindow, Cubic, Compound<CompoundLinux>>;
TYPED_TEST_SUITE(OnBothTopologies, EveryVariant);

TYPED_TEST(OnBothTopologies, AVariantSendsTheSamePackets) {
  Json json = bulk();
  json["stations"][1]["queue"] = "drop-tail";
  json["stations"][1]["buffer_packets"] = 15;
  json["sources"][0]["workload"]["start_spread_s"] = 0;
  Json& tcp = json["sources"][0]["tcp"];
  tcp = {{"variant", "newreno"},
         {"rwnd_packets", 20},
         {"initial_window_packets", 2},
         {"min_rto_s", 0.2},
         {"max_rto_s", 64}};
  Point point = parse_point(json, "point.json");
  point.groups[0].tcp.own = kit::authors_parameters();
  for (const auto& receiver : this->receivers()) {
    point.groups[0].tcp.delayed_ack = receiver;
    using Connection = AcknowledgedConnection<TypeParam>;
    LocalLoop<Connection, DropTailQueue> loop(kit::local_loop::network_of(point),
                                              Connection::rules(point.groups[0].tcp, 0), 1);
    for (const std::int64_t packets : {1'000, 2'000, 5'000, 20'000}) {
      loop.run_until_sent(packets);
      const Measurements of_loop = loop.measurements();
      const Measurements of_dumbbell =
          simulate(this->dumbbell_of(point, {.duration_s = seconds(of_loop.end)}), 1);
      EXPECT_EQ(of_dumbbell.counters.packets_sent, of_loop.counters.packets_sent) << packets;
      EXPECT_EQ(of_dumbbell.connections.rtt_samples, of_loop.loop->sums.rtt_samples) << packets;
      EXPECT_EQ(of_dumbbell.connections.rtt_s, of_loop.loop->sums.rtt_samples_s) << packets;
      EXPECT_EQ(of_loop.counters.packets_sent, of_loop.counters.packets_delivered +
                                                   of_loop.counters.packets_dropped +
                                                   of_loop.counters.packets_in_flight);
    }
    EXPECT_GT(loop.measurements().counters.packets_dropped, 100);
    EXPECT_GT(loop.measurements().loop->sums.timeouts, 10);
  }
}

// Web users, whose sizes and pauses are drawn alike in both; the destinations' links are faster than the
// shared one, so that files end in the order in which their last packets leave it.
TYPED_TEST(OnBothTopologies, WebUsersSendTheSamePackets) {
  Json json = web();
  json["stations"].erase(1);
  json["stations"][1]["queue"] = "drop-tail";
  json["stations"][1]["buffer_packets"] = 15;
  Json& users = json["sources"][0];
  users["workload"]["off_time"].update({{"mean_s", 5}, {"standard_deviation_s", 10}});
  users["tcp"] = {{"variant", "newreno"}, {"rwnd_packets", 20}, {"initial_window_packets", 2},
                  {"min_rto_s", 0.2},     {"max_rto_s", 64},    {"idle_restart_s", 10}};
  Point point = parse_point(json, "point.json");
  point.groups[0].tcp.own = kit::authors_parameters();
  Workload& workload = point.groups[0].workload;
  for (const auto& receiver : this->receivers()) {
    for (const auto ends_at : {Workload::EndsAt::kSource, Workload::EndsAt::kDestination}) {
      for (const auto first : {Workload::FirstThink::kWhole, Workload::FirstThink::kEquilibrium}) {
        point.groups[0].tcp.delayed_ack = receiver;
        workload.ends_at = ends_at;
        workload.first_think = first;
        using Connection = AcknowledgedConnection<TypeParam>;
        LocalLoop<Connection, DropTailQueue> loop(kit::local_loop::network_of(point),
                                                  Connection::rules(point.groups[0].tcp, 0), 1);
        for (const std::int64_t packets : {1'000, 5'000, 20'000}) {
          loop.run_until_sent(packets);
          const Measurements of_loop = loop.measurements();
          const Measurements of_dumbbell = simulate(this->dumbbell_of(point, {.packets = packets}), 1);
          EXPECT_EQ(of_dumbbell.end, of_loop.end) << packets;
          EXPECT_EQ(of_dumbbell.counters.packets_sent, of_loop.counters.packets_sent) << packets;
          EXPECT_EQ(of_dumbbell.counters.packets_dropped, of_loop.counters.packets_dropped) << packets;
          EXPECT_EQ(of_dumbbell.connections.rtt_samples, of_loop.loop->sums.rtt_samples) << packets;
          EXPECT_EQ(of_dumbbell.connections.rtt_s, of_loop.loop->sums.rtt_samples_s) << packets;
        }
        const Measurements end = loop.measurements();
        EXPECT_GT(end.counters.packets_dropped, 100);
        EXPECT_GT(end.counters.connections_completed, 200);
        EXPECT_GT(end.loop->sums.idle_restarts, 10);
      }
    }
  }
}

// Where the same network is a dumbbell, a managed queue decides the same there.
TEST(LocalLoopRun, HasTheManagedQueuesOfDumbbells) {
  for (const auto& [queue, detection] : {std::pair{"codel", "rfc6675"},
                                         {"codel", "rack-tlp"},
                                         {"fq-codel", "rfc6675"},
                                         {"pie", "rack-tlp"},
                                         {"red", "rfc6675"},
                                         {"red", "rack-tlp"}}) {
    Json json = bulk();
    json["stations"][1]["queue"] = queue;
    json["stations"][1]["buffer_packets"] = 100;
    json["sources"][0]["workload"]["start_spread_s"] = 0;
    json["sources"][0]["tcp"] = {{"variant", "cubic"}, {"rwnd_packets", 20}, {"initial_window_packets", 10},
                                 {"min_rto_s", 0.2},   {"max_rto_s", 64},    {"loss_detection", detection}};
    const Point of_loop = parse_point(json, "point.json");
    const Measurements in_loop = simulate(of_loop, 1);

    Point point = of_loop;
    const std::vector<kit::Station> stations = std::get<kit::LocalLoop>(point.topology).stations;
    point.topology =
        kit::Dumbbell{.bottleneck = {stations[1], 0, stations[1].buffer_packets, *stations[1].queue},
                      .egress = stations[2]};
    point.groups[0].access = stations[0];
    point.stop = {.duration_s = seconds(in_loop.end)};
    const Measurements in_dumbbell = simulate(point, 1);
    EXPECT_EQ(in_dumbbell.counters.packets_sent, in_loop.counters.packets_sent) << queue;
    EXPECT_EQ(in_dumbbell.counters.packets_dropped, in_loop.counters.packets_dropped) << queue;
    EXPECT_GT(in_loop.counters.packets_dropped, 100) << queue;
  }
}

}  // namespace
}  // namespace packetsim
