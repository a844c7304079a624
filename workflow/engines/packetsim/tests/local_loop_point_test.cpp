// Points of local loops, and the runs that come of them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "kit/local_loop/exact_point.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "run/simulate.hpp"
#include "run/simulate_local_loop.hpp"

namespace packetsim {
namespace {

using kit::local_loop_points::bulk;
using kit::local_loop_points::expect_distributions_add_up_to_one;
using kit::local_loop_points::expect_packets_counted_and_link_shared;
using kit::local_loop_points::metric;
using kit::local_loop_points::reno;
using kit::local_loop_points::web;

Json run(const Json& json, std::uint64_t seed) {
  const LocalLoopPoint point = parse_local_loop_point(json, "point.json");
  return local_loop_run(point, seed, simulate_local_loop(point, seed), kEngine);
}

TEST(LocalLoopPoint, OfTheFixedPointHasTheWarmUpAlone) {
  Json json = web();
  json["fixed_point"].update(Json::parse(R"({"scheme": "2", "references": 3})"));
  const LocalLoopPoint point = parse_local_loop_point(json, "point.json");
  EXPECT_EQ(point.warmup_packets, 6000);
  EXPECT_EQ(point.stop_packets, 5000);
  EXPECT_EQ(point.drawn_tolerance, 0.05);
  EXPECT_EQ(run(json, 1)["metrics"], run(web(), 1)["metrics"]);
}

TEST(LocalLoopRun, CountsEveryPacketAndSharesTheLink) {
  const Json result = run(bulk(), 1);
  expect_packets_counted_and_link_shared(result);
  EXPECT_NEAR(metric(result, "utilisation"), 1, 1e-3);
}

// So that the same items compare this engine with fixed_point; the senders' samples are its own.
TEST(LocalLoopRun, HasTheMetricsOfLocalLoops) {
  std::set<std::string> names;
  const Json result = run(web(), 3);
  for (const auto& [name, value] : result["metrics"].items()) {
    names.insert(name);
  }
  std::set<std::string> expected = {"goodput_per_connection",
                                    "send_rate_per_connection",
                                    "idle_restarts_per_packet",
                                    "loss_ratio",
                                    "timeouts_per_packet",
                                    "rtt_path_mean",
                                    "rtt_sender_mean",
                                    "utilisation",
                                    "queue_mean",
                                    "on_time",
                                    "burst_error",
                                    "think_time_error",
                                    "environment_holds"};
  for (const char* share : {"[95]", "[90]", "[80]", "[50]"}) {
    expected.insert(std::string("guaranteed_goodput") + share);
    expected.insert(std::string("guaranteed_goodput_coarse") + share);
  }
  EXPECT_EQ(names, expected);
  expect_distributions_add_up_to_one(result);
}

TEST(LocalLoopRun, SameSeedSameBytes) {
  for (const Json& json : {bulk(), web(), reno(web())}) {
    EXPECT_EQ(run(json, 7).dump(), run(json, 7).dump());
    EXPECT_NE(run(json, 7).dump(), run(json, 8).dump());
  }
}

}  // namespace
}  // namespace packetsim
