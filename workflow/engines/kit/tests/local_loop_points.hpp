// Points of local loops for tests of the engines that simulate them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kit/point/json.hpp"

namespace kit::local_loop_points {

// Thirty sources without end over 125 packets/s (section 6).
inline Json bulk() {
  return Json::parse(R"({
    "schema": "tcp-atlas/point/3", "kind": "local-loop", "study": "s", "set": "t", "point": "p",
    "stations": [
      {"name": "source", "rate_bit_per_s": 1e9, "delay_s": 0.01},
      {"name": "shared", "rate_bit_per_s": 1e6, "delay_s": 0.01, "queue": "fair-individual",
       "buffer_packets": 5, "head_of_line": "in-buffer"},
      {"name": "destination", "rate_bit_per_s": 1e9, "delay_s": 0}],
    "return_delay_s": 0.12, "packet_bytes": 1000, "ack_bytes": 0,
    "sources": [{"name": "sources", "count": 30, "workload": {"kind": "bulk", "start_spread_s": 1},
      "tcp": {"variant": "informed-reno", "rwnd_packets": 20, "initial_window_packets": 1,
        "clock_tick_s": 0.1, "min_rto_s": 0.2, "max_rto_s": 86400, "idle_restart_s": 10, "halving": "per-window",
        "odd_half": "smaller", "old_acks": "ignored", "timer": "per-packet",
        "rtt_samples": "first-of-window"}}],
    "fixed_point": {"scheme": "exact", "references": 30, "condition": "users", "step_packets": 2000,
      "min_steps": 3, "max_steps": 3, "averaging": "none", "change": 0.05, "environment": 0.05, "fairness": 0.1,
      "gaps": "exponential", "service": "lognormal", "loss_detection": "instantaneous",
      "gap_after": "release", "haste": "none"},
    "stop": {"packets": 5000, "warmup_packets": 6000}, "probes": [], "parameters": {}, "replications": {}, "seed": 1})");
}

// Web users (section 7), with other traffic in the backbone.
inline Json web() {
  Json json = bulk();
  json["stations"][1]["queue"] = "fair-shared";
  json["stations"].insert(
      json["stations"].begin() + 1,
      Json::parse(
          R"({"name": "backbone", "rate_bit_per_s": 8e5, "delay_s": 0.01, "buffer_packets": 100,
                      "load": {"mean": 0.9, "standard_deviation": 0.45, "hurst": 0.7, "slot_s": 0.01}})"));
  json["sources"][0]["workload"] = Json::parse(R"({"kind": "http",
    "file_size": {"distribution": "lognormal", "mean_packets": 50, "standard_deviation_packets": 40},
    "off_time": {"distribution": "lognormal", "mean_s": 30, "standard_deviation_s": 20},
    "first_think": "whole", "ends_at": "destination"})");
  return json;
}

// The same by Reno with cumulative acknowledgements.
inline Json reno(Json json) {
  Json& tcp = json["sources"][0]["tcp"];
  tcp.update({{"variant", "lifelong-reno"}, {"max_rto_s", 64}});
  for (const char* key : {"odd_half", "old_acks", "timer", "rtt_samples"}) {
    tcp.erase(key);
  }
  return json;
}

inline double metric(const Json& run, const std::string& name) {
  return run["metrics"][name]["value"].get<double>();
}

// Of a run of bulk().
inline void expect_packets_counted_and_link_shared(const Json& run) {
  const auto packets = [&run](const char* which) { return run["counters"][which].get<std::int64_t>(); };
  EXPECT_EQ(packets("packets_sent"),
            packets("packets_delivered") + packets("packets_dropped") + packets("packets_in_flight"));
  EXPECT_GE(packets("packets_sent"), 11'000);
  // Table 1: an equal share of 125 packets/s; what is sent is delivered or lost, but for some of 5,000
  // packets that are under way when the measurement begins or ends.
  EXPECT_NEAR(metric(run, "goodput_per_source"), 125.0 / 30, 0.01);
  EXPECT_NEAR(metric(run, "send_rate_per_source") * (1 - metric(run, "loss_ratio")), 125.0 / 30, 0.05);
}

// Of a run of web users.
inline void expect_distributions_add_up_to_one(const Json& run) {
  for (const char* name : {"goodput_by_burst", "goodput_by_packets[10]", "goodput_by_long_burst[10]"}) {
    double sum = 0;
    for (const Json& share : run["distributions"][name]["probability"]) {
      EXPECT_LE(share.get<double>(), 1) << name;
      sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-9) << name;
  }
  EXPECT_LE(metric(run, "guaranteed_goodput[95]"), metric(run, "guaranteed_goodput[50]"));
}

}  // namespace kit::local_loop_points
