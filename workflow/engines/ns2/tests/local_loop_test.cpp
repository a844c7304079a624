// ns-2's own sources: a lone one by a closed form, and thirty as Baccelli, Hong and Liu 2001 print them.

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "kit/main/run.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "ns2.hpp"
#include "simulate.hpp"

namespace ns2 {
namespace {

using kit::Json;
using kit::local_loop_points::metric;

constexpr kit::Engine kEngine{.name = "ns2", .version = "test"};

// Sources without end over 125 packets/s and 140 ms there and back (section 6).
Json sources(int count, int window) {
  Json json = kit::local_loop_points::reno(kit::local_loop_points::bulk());
  json["sources"][0]["count"] = count;
  json["sources"][0]["tcp"]["rwnd_packets"] = window;
  return json;
}

Json run(const Json& json, std::uint64_t seed = 1) {
  return simulate(kit::parse_point(json, "point.json"), seed, kEngine);
}

class LocalLoop : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto lacks = missing()) {
      GTEST_SKIP() << *lacks;
    }
  }
};

TEST_F(LocalLoop, ALoneSourceSendsItsWindowEveryRoundTrip) {
  Json json = sources(1, 10);
  json["stop"] = {{"packets", 2000}, {"warmup_packets", 200}};
  const Json measured = run(json);
  const double round_trip_s = 0.148 + 3 * 8e-6;
  EXPECT_NEAR(metric(measured, "rtt_path_mean"), round_trip_s, 1e-4);
  // Measured from one look to another, half a second later: a window more or less.
  EXPECT_NEAR(metric(measured, "goodput_per_source"), 10 / round_trip_s, 0.5);
  EXPECT_EQ(metric(measured, "loss_ratio"), 0);
  // The 148 ms take one tick of 100 ms or two.
  EXPECT_GE(metric(measured, "rtt_estimate_mean"), 0.1);
  EXPECT_LE(metric(measured, "rtt_estimate_mean"), 0.2);
}

TEST_F(LocalLoop, ThirtySourcesLoseWhatThePaperPrints) {
  Json json = sources(30, 20);
  json["stations"][1]["buffer_packets"] = 5;
  json["stop"] = {{"packets", 30000}, {"warmup_packets", 5000}};
  const Json measured = run(json);
  EXPECT_NEAR(metric(measured, "loss_ratio"), 0.0400, 0.0005);
  EXPECT_NEAR(metric(measured, "send_rate_per_source"), 4.34, 0.02);
  EXPECT_NEAR(metric(measured, "goodput_per_source"), 125.0 / 30, 0.02);
  EXPECT_EQ(metric(measured, "timeouts_per_packet"), 0);
  EXPECT_NEAR(metric(measured, "rtt_estimate_mean"), 0.96, 0.01);
}

TEST_F(LocalLoop, TheSameSeedGivesTheSameBytesAndAnotherOtherStarts) {
  Json json = sources(30, 20);
  json["stations"][1]["queue"] = "drop-tail";
  json["stations"][1]["buffer_packets"] = 150;
  json["stop"] = {{"packets", 3000}, {"warmup_packets", 500}};
  EXPECT_EQ(run(json), run(json));
  EXPECT_NE(metric(run(json, 1), "rtt_path_mean"), metric(run(json, 2), "rtt_path_mean"));
}

TEST_F(LocalLoop, WhatNs2SaysIsToldInOneLine) {
  EXPECT_THROW(
      {
        try {
          run_script({{"queue", "drop-tail"}});
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
          EXPECT_NE(std::string(error.what()).find("each of once"), std::string::npos);
          throw;
        }
      },
      std::runtime_error);
}

TEST_F(LocalLoop, ASlowerLaterStationOfASourceIsRefused) {
  Json json = sources(1, 10);
  Json slow = json["stations"][0];
  slow["name"] = "access";
  slow["rate_bit_per_s"] = 5e5;
  json["stations"].insert(json["stations"].begin() + 1, slow);
  EXPECT_THROW(run(json), std::exception);
}

}  // namespace
}  // namespace ns2
