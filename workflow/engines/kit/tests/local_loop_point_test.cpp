// Bad points of local loops: one line that names the file, the key and what is allowed.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kit/local_loop/exact_point.hpp"
#include "kit/tests/local_loop_points.hpp"

namespace kit {
namespace {

using local_loop_points::bulk;
using local_loop_points::reno;
using local_loop_points::web;

std::string refusal(const Json& json) {
  try {
    parse_local_loop_point(json, "point.json");
  } catch (const std::exception& error) {
    return error.what();
  }
  return "taken";
}

TEST(LocalLoopPoint, WhatCannotBeIsRefusedInOneLine) {
  Json json = web();
  json["stations"][1]["load"]["hurst"] = 1;
  EXPECT_EQ(refusal(json),
            "point.json: stations.1.load.hurst: is 1.0; must be more than 0.0 and less than 1.0");
  json = web();
  json["stations"][1]["load"]["mean"] = 1.1;
  EXPECT_EQ(refusal(json), "point.json: stations.1.load.mean: is 1.1; must be more than 0.0 and at most 1.0");
  json = web();
  json["sources"][0]["workload"]["burst"]["standard_deviation_packets"] = -1;
  EXPECT_EQ(
      refusal(json),
      "point.json: sources.0.workload.burst.standard_deviation_packets: is -1.0; must be at least 0.0 and "
      "at most 1000000000.0");
  json = web();
  json["fixed_point"]["speed"] = 1;
  EXPECT_EQ(refusal(json).substr(0, 50), "point.json: fixed_point.speed: is not known here; ");
  json = bulk();
  for (const char* key : {"queue", "buffer_packets", "head_of_line"}) {
    json["stations"][1].erase(key);
  }
  EXPECT_EQ(refusal(json), "point.json: stations: has 0 with a queue; exactly one, the shared router");
  json = web();
  json["kind"] = "dumbbell";
  EXPECT_EQ(refusal(json), "point.json: kind: is 'dumbbell'; one of local-loop");
}

Json reno_with(const char* key, const char* value) {
  Json json = reno(web());
  json["sources"][0]["tcp"][key] = value;
  return json;
}

// Cumulative acknowledgements leave nothing open that the recursion does.
TEST(LocalLoopPoint, DuplicateAcknowledgementsHaveOneReading) {
  EXPECT_EQ(refusal(reno(web())), "taken");
  EXPECT_EQ(refusal(reno_with("halving", "per-loss")), "taken");
  EXPECT_EQ(refusal(reno_with("timer", "per-packet")),
            "sources.0.tcp.timer: with duplicate-acks only restarted");
  EXPECT_EQ(refusal(reno_with("odd_half", "larger")),
            "sources.0.tcp.odd_half: with duplicate-acks only smaller");
  EXPECT_EQ(refusal(reno_with("old_acks", "grow-window")),
            "sources.0.tcp.old_acks: with duplicate-acks only ignored");
  EXPECT_EQ(refusal(reno_with("rtt_samples", "every-packet")),
            "sources.0.tcp.rtt_samples: with duplicate-acks only first-of-window");
}

}  // namespace
}  // namespace kit
