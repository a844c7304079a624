// Bad points of local loops: one line that names the file, the key and what is allowed.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kit/local_loop/settings_of.hpp"
#include "kit/tests/local_loop_points.hpp"

namespace kit {
namespace {

using local_loop_points::bulk;
using local_loop_points::reno;
using local_loop_points::web;

std::string refusal(const Json& json) {
  try {
    checked(local_loop::settings_of(parse_point(json, "point.json")));
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
  json["sources"][0]["workload"]["file_size"]["standard_deviation_packets"] = -1;
  EXPECT_EQ(refusal(json),
            "point.json: sources.0.workload.file_size.standard_deviation_packets: is -1.0; must be at least "
            "0.0 and "
            "at most 1000000000.0");
  json = web();
  json["fixed_point"]["speed"] = 1;
  EXPECT_EQ(refusal(json).substr(0, 50), "point.json: fixed_point.speed: is not known here; ");
  json = bulk();
  for (const char* key : {"queue", "buffer_packets", "head_of_line"}) {
    json["stations"][1].erase(key);
  }
  EXPECT_EQ(refusal(json), "point.json: stations: has 0 with a queue; exactly one, the shared router");
}

TEST(LocalLoopPoint, EveryVariantIsTaken) {
  EXPECT_EQ(refusal(bulk()), "taken");
  EXPECT_EQ(refusal(reno(web())), "taken");
  Json json = web();
  json["sources"][0]["tcp"]["min_rto_s"] = 0.25;
  EXPECT_EQ(refusal(json), "sources.0.tcp.min_rto_s: must be a whole number of ticks of clock_tick_s");
}

}  // namespace
}  // namespace kit
