// SPDX-License-Identifier: GPL-2.0-only
// Local loops: a lone user by closed forms, laws that hold for many, and packetsim event for event.

#include "local_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/local_loop/exact_run.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "run/simulate_local_loop.hpp"

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

// One user whose own link is the slow one: packets of 8 ms, 148.016 ms there and back.
constexpr Picoseconds kSourceTime = 8 * kMillisecond;
constexpr Picoseconds kEmptyPath = 148 * kMillisecond + kMillisecond / 1000 * 16;

Json alone(Json json) {
  json["stations"][0]["rate_bit_per_s"] = 1e6;
  json["stations"][1]["rate_bit_per_s"] = 1e9;
  json["sources"][0]["count"] = 1;
  json["sources"][0]["tcp"]["rwnd_packets"] = 16;
  return json;
}

kit::LocalLoopPoint parsed(const Json& json) { return kit::parse_local_loop_point(json, "point.json"); }

std::vector<double> send_times(const Json& json, std::size_t packets) {
  LocalLoop loop(parsed(json).settings, 1);
  loop.run_until_sent(static_cast<std::int64_t>(packets));
  std::vector<double> times = loop.close().sent.time_s;
  times.resize(packets);
  return times;
}

// Flights of 1, 2, 4, 8 and from then on 16 packets, each a round trip after the last, back to back.
TEST(LoneUser, SendsInFlightsThatDoubleUpToTheLargestWindow) {
  Json json = alone(bulk());
  json["sources"][0]["workload"]["start_spread_s"] = 0;
  std::vector<double> expected;
  for (int round = 0, flight = 1; round < 9; ++round, flight = std::min(2 * flight, 16)) {
    for (int i = 0; i < flight; ++i) {
      expected.push_back(kit::seconds(round * kEmptyPath + i * kSourceTime));
    }
  }
  EXPECT_EQ(send_times(json, expected.size()), expected);
}

// Bursts of 3 packets: one alone, two after its acknowledgement. After a pause of more than 10 s it begins so
// again, after a shorter one with the window that the last burst left.
TEST(LoneUser, BeginsAgainInSlowStartAfterAnIdlenessOfTenSeconds) {
  for (const int think_s : {9, 11}) {
    Json json = alone(web(think_s));
    json["sources"][0]["workload"]["file_size"].update(
        {{"mean_packets", 3}, {"standard_deviation_packets", 0}});
    json["sources"][0]["workload"]["off_time"]["standard_deviation_s"] = 0;
    std::vector<double> expected;
    Picoseconds start = think_s * kSecond;
    for (int burst = 0; burst < 3; ++burst) {
      const Picoseconds second = burst == 0 || think_s > 10 ? kEmptyPath : kSourceTime;
      for (const Picoseconds time : {start, start + second, start + second + kSourceTime}) {
        expected.push_back(kit::seconds(time));
      }
      start += second + kSourceTime + kEmptyPath + think_s * kSecond;
    }
    EXPECT_EQ(send_times(json, 9), expected) << think_s;
    LocalLoop loop(parsed(json).settings, 1);
    loop.run_until_sent(9);
    EXPECT_EQ(loop.close().sums.idle_restarts, think_s > 10 ? 2 : 0);
  }
}

TEST(LocalLoop, ConservesPackets) {
  for (const Json& json : {bulk(), bulk_behind_fifo(), web()}) {
    for (const std::int64_t packets : {2'000, 10'000}) {
      LocalLoop loop(parsed(json).settings, 3);
      loop.run_until_sent(packets);
      const kit::LoopMeasurements measured = loop.close();
      const kit::LoopCounters& counted = measured.counters;
      EXPECT_GE(counted.sent, packets);
      EXPECT_GT(counted.dropped, 0);
      EXPECT_EQ(counted.sent, counted.delivered + counted.dropped + counted.in_flight);
      EXPECT_LE(measured.sums.useful, measured.sums.carried);
    }
  }
}

// Mean number = throughput times mean time there, which over any time is, exactly: packet-seconds present =
// seconds spent by those that left, and those that are still there.
TEST(LocalLoop, ObeysLittlesLaw) {
  for (const Json& json : {bulk(), bulk_behind_fifo(), web()}) {
    LocalLoop loop(parsed(json).settings, 3);
    loop.run_until_sent(10'000);
    const kit::PicosecondSum present = loop.sojourn_of_present();
    const kit::LoopMeasurements measured = loop.close();
    kit::PicosecondSum packet_time = 0;
    for (std::size_t level = 0; level < measured.queue_time_at.size(); ++level) {
      packet_time += static_cast<kit::PicosecondSum>(level) * measured.queue_time_at[level];
    }
    EXPECT_TRUE(packet_time == measured.sums.sojourn + present);
    EXPECT_GT(present, 0);
  }
}

constexpr kit::Engine kEither = {.name = "either", .version = "1"};

const std::vector<std::string> kOfEvents = {"loss_ratio", "timeouts_per_packet", "rtt_sender_mean",
                                            "utilisation", "queue_mean"};
const std::vector<std::string> kOfPackets = {"goodput_per_source", "send_rate_per_source", "rtt_path_mean"};

// The way back is such that nothing happens at the instant at which a run ends, but for what ends it.
void expect_same_run(Json json, const std::vector<std::string>& metrics) {
  json["return_delay_s"] = 0.1213;
  const kit::LocalLoopPoint point = parsed(json);
  const Json theirs = kit::local_loop_run(point, 7, packetsim::simulate_local_loop(point, 7), kEither);
  LocalLoop loop(point.settings, 7);
  kit::run_exactly(loop, point, {});
  const Json ours = kit::local_loop_run(point, 7, loop.close(), kEither);
  for (const std::string& name : metrics) {
    EXPECT_DOUBLE_EQ(metric(ours, name), metric(theirs, name)) << name;
  }
  for (const char* counter : {"packets_sent", "packets_delivered", "packets_dropped", "packets_in_flight"}) {
    EXPECT_EQ(ours["counters"][counter], theirs["counters"][counter]) << counter;
  }
  EXPECT_EQ(ours["simulated_s"], theirs["simulated_s"]);
  EXPECT_TRUE(ours["traces"] == theirs["traces"]);  // when the first user sends
  EXPECT_GT(ours["counters"]["packets_dropped"], 0);
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

TEST(LocalLoop, RefusesInOneLineWhatItDoesNotKnow) {
  const auto refusal = [](const Json& json) {
    try {
      LocalLoop(parsed(json).settings, 1);
    } catch (const kit::Unsupported& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refusal(bulk()), "taken");
  EXPECT_EQ(refusal(kit::local_loop_points::bulk()),
            "sources.0.tcp.variant: has to be lifelong-reno for ns3");
  EXPECT_EQ(refusal(kit::local_loop_points::web()), "stations.1.load: has to be left out for ns3");
  Json json = bulk();
  json["stations"][1]["queue"] = "fair-shared";
  EXPECT_EQ(refusal(json), "stations.1.queue: has to be fair-individual or drop-tail for ns3");
  json = bulk();
  json["stations"][1]["head_of_line"] = "apart";
  EXPECT_EQ(refusal(json), "stations.1.head_of_line: has to be in-buffer for ns3");
  json = bulk();
  json["stations"][2]["rate_bit_per_s"] = 1000.5;
  EXPECT_EQ(refusal(json), "stations.2.rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
}

}  // namespace
}  // namespace tcp_atlas
