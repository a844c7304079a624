// SPDX-License-Identifier: GPL-2.0-only
// Local loops: a lone user by a closed form, and many as packetsim has them, event for event.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "run/simulate.hpp"
#include "simulation.hpp"

namespace tcp_atlas {
namespace {

using kit::Json;
using kit::Picoseconds;
using kit::local_loop_points::metric;

constexpr Picoseconds kSecond = 1'000'000'000'000;
constexpr Picoseconds kMillisecond = kSecond / 1000;

// Thirty sources without end over 125 packets/s, as ns-2 has them (section 6).
Json bulk() { return kit::local_loop_points::reno(kit::local_loop_points::bulk()); }

Json bulk_behind_fifo() {
  Json json = bulk();
  json["stations"][1]["queue"] = "drop-tail";
  json["stations"][1]["buffer_packets"] = 150;
  return json;
}

Json web(double think_s = 5) {
  Json json = bulk_behind_fifo();
  json["sources"][0]["workload"] =
      Json::parse(R"({"kind": "http", "file_size": {"distribution": "lognormal", "mean_packets": 50,
    "standard_deviation_packets": 40}, "off_time": {"distribution": "lognormal", "mean_s": 0, "standard_deviation_s": 5},
    "first_think": "whole", "ends_at": "source"})");
  json["sources"][0]["workload"]["off_time"]["mean_s"] = think_s;
  return json;
}

kit::Point parsed(const Json& json) { return kit::parse_point(json, "point.json"); }

kit::Measurements measured(const kit::Point& point, std::uint64_t seed) {
  return Simulation(point, seed).run();
}

// One user whose own link is the slow one: packets of 8 ms, 148.016 ms there and back. Files of 3 packets:
// one alone, two after its acknowledgement. After a pause of more than 10 s it begins so again, after a
// shorter one with the window that the last file left.
TEST(LoneUser, BeginsAgainInSlowStartAfterAnIdlenessOfTenSeconds) {
  constexpr Picoseconds kSourceTime = 8 * kMillisecond;
  constexpr Picoseconds kEmptyPath = 148 * kMillisecond + kMillisecond / 1000 * 16;
  for (const int think_s : {9, 11}) {
    Json json = web(think_s);
    json["stations"][0]["rate_bit_per_s"] = 1e6;
    json["stations"][1]["rate_bit_per_s"] = 1e9;
    json["sources"][0]["count"] = 1;
    json["sources"][0]["workload"]["file_size"] = {
        {"distribution", "lognormal"}, {"mean_packets", 3}, {"standard_deviation_packets", 0}};
    json["sources"][0]["workload"]["off_time"]["standard_deviation_s"] = 0;
    json["stop"] = {{"packets", 8}, {"warmup_packets", 1}};
    std::vector<double> expected;
    Picoseconds start = 0;  // when the first packet goes, with which the warm-up ends
    for (int file = 0; file < 3; ++file) {
      const Picoseconds second = file == 0 || think_s > 10 ? kEmptyPath : kSourceTime;
      for (const Picoseconds time : {start, start + second, start + second + kSourceTime}) {
        expected.push_back(kit::seconds(time));
      }
      start += second + kSourceTime + kEmptyPath + think_s * kSecond;
    }
    const kit::LoopMeasurements user = measured(parsed(json), 1).loop.value();
    std::vector<double> times = user.sent.time_s;
    times.insert(times.begin(), 0);
    EXPECT_EQ(times, expected) << think_s;
    EXPECT_EQ(user.sums.idle_restarts, think_s > 10 ? 2 : 0);
  }
}

constexpr kit::Engine kEither = {.name = "either", .version = "1"};

const std::vector<std::string> kOfEvents = {"loss_ratio", "timeouts_per_packet", "rtt_sender_mean",
                                            "utilisation", "queue_mean"};
const std::vector<std::string> kOfPackets = {"goodput_per_source", "send_rate_per_source", "rtt_path_mean"};

// The way back is such that nothing happens at the instant at which a run ends, but for what ends it.
void expect_same_run(Json json, const std::vector<std::string>& metrics,
                     const std::vector<std::string>& counters = {"packets_sent", "packets_delivered",
                                                                 "packets_dropped", "packets_in_flight"}) {
  json["return_delay_s"] = 0.1213;
  const kit::Point point = parsed(json);
  const Json theirs = kit::run_json(point, 7, packetsim::simulate(point, 7), kEither);
  const Json ours = kit::run_json(point, 7, measured(point, 7), kEither);
  for (const std::string& name : metrics) {
    EXPECT_DOUBLE_EQ(metric(ours, name), metric(theirs, name)) << name;
  }
  const auto count = [&ours](const char* which) { return ours["counters"][which].get<std::int64_t>(); };
  for (const std::string& counter : counters) {
    EXPECT_EQ(ours["counters"][counter], theirs["counters"][counter]) << counter;
  }
  EXPECT_EQ(count("packets_sent"),
            count("packets_delivered") + count("packets_dropped") + count("packets_in_flight"));
  EXPECT_GT(count("packets_dropped"), 0);
  EXPECT_EQ(ours["simulated_s"], theirs["simulated_s"]);
  EXPECT_TRUE(ours["traces"] == theirs["traces"]);  // when the first user sends
}

// Tables 1 and 2: acknowledgements come back as far apart as the shared router sends, so no two users ever
// act at the same instant.
TEST(LocalLoop, GoesAsPacketsimsDoes) {
  std::vector<std::string> metrics = kOfEvents;
  metrics.insert(metrics.end(), kOfPackets.begin(), kOfPackets.end());
  for (const int buffer : {5, 10}) {
    Json json = bulk();
    json["stations"][1]["buffer_packets"] = buffer;
    expect_same_run(json, metrics);
  }
  for (const int buffer : {150, 300}) {
    for (const char* halving : {"per-window", "per-loss"}) {
      Json json = bulk_behind_fifo();
      json["stations"][1]["buffer_packets"] = buffer;
      json["sources"][0]["tcp"]["halving"] = halving;
      expect_same_run(json, metrics);
    }
  }
}

// What is downloaded is counted as it arrives here, and by packetsim as it is put into the queue: that
// differs by what the queue holds when measurements begin and end.
TEST(LocalLoop, WebUsersGoAsPacketsimsDo) {
  for (const char* end : {"source", "destination"}) {
    for (const char* first : {"whole", "equilibrium"}) {
      Json json = web();
      json["sources"][0]["workload"]["ends_at"] = end;
      json["sources"][0]["workload"]["first_think"] = first;
      expect_same_run(json, kOfEvents);
    }
  }
}

// Receivers that acknowledge every second packet, or a lone one after 40 ms. A packet that waits for its
// acknowledgement is delivered here, and under way for packetsim.
TEST(LocalLoop, DelaysAcknowledgementsAsPacketsimDoes) {
  for (const std::string variant : {"newreno", "reno", "tahoe"}) {
    std::vector<Json> points = {bulk_behind_fifo()};
    points[0]["stations"][1]["buffer_packets"] = 30;
    for (const char* end : {"source", "destination"}) {
      points.push_back(web());
      points.back()["sources"][0]["workload"]["ends_at"] = end;
    }
    for (Json& json : points) {
      json["sources"][0]["tcp"] = {
          {"variant", variant},
          {"rwnd_packets", 20},
          {"initial_window_packets", 2},
          {"min_rto_s", 0.2},
          {"max_rto_s", 64},
          {"idle_restart_s", 10},
          {"delayed_ack", {{"packets", 2}, {"timeout_s", 0.0407}, {"quick_acks", 3}}}};
      SCOPED_TRACE(variant + json["sources"][0]["workload"].dump());
      expect_same_run(json, kOfEvents, {"packets_sent", "packets_dropped"});
    }
  }
}

TEST(LocalLoop, RefusesInOneLineWhatItDoesNotKnow) {
  const auto refusal = [](const Json& json) {
    try {
      Simulation(parsed(json), 1);
    } catch (const kit::Unsupported& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refusal(bulk()), "taken");
  EXPECT_EQ(refusal(kit::local_loop_points::web()), "stations.1.load: has to be left out for ns3");
  Json json = bulk();
  json["stations"][1]["head_of_line"] = "apart";
  EXPECT_EQ(refusal(json), "stations.1.head_of_line: has to be in-buffer for ns3");
  json = bulk();
  json["stations"][2]["rate_bit_per_s"] = 1000.5;
  EXPECT_EQ(refusal(json), "stations.2.rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
}

}  // namespace
}  // namespace tcp_atlas
