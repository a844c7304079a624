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
using kit::local_loop_points::expect_packets_counted_and_link_shared;
using kit::local_loop_points::metric;
using kit::local_loop_points::web;

Json with_tcp(Json json, const char* key, const char* value) {
  json["sources"][0]["tcp"][key] = value;
  return json;
}

std::string refusal(const Json& json) {
  try {
    parse_local_loop_point(json, "point.json");
  } catch (const std::exception& error) {
    return error.what();
  }
  return "taken";
}

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

TEST(LocalLoopPoint, WhatCannotBeIsRefusedInOneLine) {
  Json json = web();
  json["stations"][1]["load"]["hurst"] = 1;
  EXPECT_EQ(refusal(json),
            "point.json: stations.1.load.hurst: is 1.0; must be more than 0.0 and less than 1.0");
  json = web();
  json["sources"][0]["workload"]["burst"]["standard_deviation_packets"] = -1;
  EXPECT_EQ(
      refusal(json),
      "point.json: sources.0.workload.burst.standard_deviation_packets: is -1.0; must be at least 0.0 and "
      "at most 1000000000.0");
  json = web();
  json["fixed_point"]["speed"] = 1;
  EXPECT_EQ(refusal(json).substr(0, 50), "point.json: fixed_point.speed: is not known here; ");
  json = web();
  json["kind"] = "dumbbell";
  EXPECT_EQ(refusal(json), "point.json: kind: is 'dumbbell'; one of local-loop");
}

// Cumulative acknowledgements leave nothing open that the recursion does.
TEST(LocalLoopPoint, DuplicateAcknowledgementsHaveOneReading) {
  const Json reno = with_tcp(with_tcp(web(), "loss_detection", "duplicate-acks"), "timer", "restarted");
  EXPECT_EQ(refusal(reno), "taken");
  EXPECT_EQ(refusal(with_tcp(reno, "halving", "per-loss")), "taken");
  EXPECT_EQ(refusal(with_tcp(reno, "timer", "per-packet")),
            "sources.0.tcp.timer: with duplicate-acks only restarted");
  EXPECT_EQ(refusal(with_tcp(reno, "odd_half", "larger")),
            "sources.0.tcp.odd_half: with duplicate-acks only smaller");
  EXPECT_EQ(refusal(with_tcp(reno, "old_acks", "grow-window")),
            "sources.0.tcp.old_acks: with duplicate-acks only ignored");
  EXPECT_EQ(refusal(with_tcp(reno, "rtt_samples", "every-packet")),
            "sources.0.tcp.rtt_samples: with duplicate-acks only first-of-window");
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
  EXPECT_LE(metric(result, "guaranteed_goodput[95]"), metric(result, "guaranteed_goodput[50]"));
  for (const char* name : {"goodput_by_burst", "goodput_by_packets[10]", "goodput_by_long_burst[10]"}) {
    double sum = 0;
    for (const Json& share : result["distributions"][name]["probability"]) {
      sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-9) << name;
  }
}

TEST(LocalLoopRun, SameSeedSameBytes) {
  const Json reno = with_tcp(with_tcp(web(), "loss_detection", "duplicate-acks"), "timer", "restarted");
  for (const Json& json : {bulk(), web(), reno}) {
    EXPECT_EQ(run(json, 7).dump(), run(json, 7).dump());
    EXPECT_NE(run(json, 7).dump(), run(json, 8).dump());
  }
}

}  // namespace
}  // namespace packetsim
