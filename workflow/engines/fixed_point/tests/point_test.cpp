// Points of local loops, and the runs that come of them.
#include "kit/point/point.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kit/tests/local_loop_points.hpp"
#include "read_point.hpp"
#include "write_run.hpp"

namespace fixed_point {
namespace {

using kit::Json;
using kit::local_loop_points::bulk;
using kit::local_loop_points::expect_distributions_add_up_to_one;
using kit::local_loop_points::expect_packets_counted_and_link_shared;
using kit::local_loop_points::metric;
using kit::local_loop_points::web;

std::string refusal(const Json& json) {
  try {
    parse_point(json, "point.json");
  } catch (const std::exception& error) {
    return error.what();
  }
  return "taken";
}

constexpr kit::Engine kEngine{.name = "fixed_point", .version = "1"};

Json run(const Json& json, std::uint64_t seed) {
  const Point point = parse_point(json, "point.json");
  return run_json(point, seed, solve(point.settings, seed), kEngine);
}

TEST(Point, HoldsWhatItSays) {
  const Settings settings = parse_point(web(), "point.json").settings;
  EXPECT_EQ(settings.users, 30);
  EXPECT_EQ(settings.references, 30);
  ASSERT_EQ(settings.path.size(), 4U);
  EXPECT_EQ(settings.path[1].rate_bit_per_s, 8e5);
  EXPECT_EQ(settings.shared, 2U);
  EXPECT_FALSE(settings.buffer.individual);
  EXPECT_EQ(settings.buffer.packets, 5);
  EXPECT_EQ(settings.buffer.drop, Drop::kLongestQueueFirst);
  ASSERT_TRUE(settings.backbone);
  EXPECT_EQ(settings.backbone->station, 1U);
  EXPECT_EQ(settings.backbone->load.sd, 0.45);
  EXPECT_EQ(settings.backbone->load.hurst, 0.7);
  EXPECT_EQ(settings.backbone->buffer_packets, 100);
  ASSERT_TRUE(settings.workload);
  EXPECT_EQ(settings.workload->burst_sd, 40);
  EXPECT_EQ(settings.workload->think_sd_s, 20);
  EXPECT_FALSE(settings.readings.think_from_equilibrium);
  EXPECT_EQ(settings.readings.on_time_ends, Readings::OnTimeEnd::kDestination);
  EXPECT_EQ(settings.tcp.max_window, 20);
  EXPECT_EQ(settings.iteration.packets, 5000);
}

TEST(Point, EveryReadingIsRead) {
  Json json = web();
  Json& tcp = json["sources"][0]["tcp"];
  tcp["halving"] = "per-loss";
  tcp["odd_half"] = "larger";
  tcp["old_acks"] = "grow-window";
  tcp["timer"] = "restarted";
  tcp["rtt_samples"] = "every-packet";
  json["stations"][2]["head_of_line"] = "apart";
  json["fixed_point"].update(Json::parse(R"({"scheme": "2", "references": 3, "condition": "nothing",
    "gaps": "constant", "service": "exponential", "gap_after": "due", "haste": "queue",
    "loss_detection": "duplicate-acks"})"));
  const Settings settings = parse_point(json, "point.json").settings;
  const Readings& readings = settings.readings;
  EXPECT_EQ(readings.loss_detection, Readings::LossDetection::kDuplicateAcks);
  EXPECT_EQ(readings.halving, Readings::Halving::kPerLoss);
  EXPECT_TRUE(readings.half_up);
  EXPECT_TRUE(readings.old_acks_grow_window);
  EXPECT_EQ(readings.timer, Readings::Timer::kRestarted);
  EXPECT_EQ(readings.rtt_samples, Readings::RttSamples::kEveryPacket);
  EXPECT_FALSE(readings.head_of_line_in_buffer);
  EXPECT_EQ(settings.scheme, Scheme::kWindows);
  EXPECT_EQ(settings.references, 3);
  EXPECT_EQ(settings.iteration.packets, 500);  // of 3 of 30 users
  EXPECT_EQ(settings.iteration.step_packets, 200);
  EXPECT_EQ(settings.condition, Condition::kNothing);
  EXPECT_EQ(settings.cross.gap_law, CrossReadings::GapLaw::kConstant);
  EXPECT_EQ(settings.cross.service_law, CrossReadings::ServiceLaw::kExponential);
  EXPECT_FALSE(settings.cross.gap_after_release);
  EXPECT_EQ(settings.cross.haste, CrossReadings::Haste::kForQueue);
}

TEST(Point, TheTimerOfAWindowAndTheLossOfTheArrivingPacketAreRead) {
  Json json = web();
  json["sources"][0]["tcp"]["timer"] = "per-window";
  EXPECT_EQ(parse_point(json, "point.json").settings.buffer.drop, kit::local_loop::Drop::kLongestQueueFirst);
  json["stations"][2]["drop"] = "arriving";
  const Settings settings = parse_point(json, "point.json").settings;
  EXPECT_EQ(settings.readings.timer, Readings::Timer::kPerWindow);
  EXPECT_EQ(settings.buffer.drop, kit::local_loop::Drop::kArriving);
}

TEST(Point, WhatCannotBeIsRefusedInOneLine) {
  Json json = bulk();
  json["fixed_point"]["scheme"] = "3";
  EXPECT_EQ(refusal(json), "point.json: fixed_point.scheme: is '3'; one of 0, 1, 2, exact");
  json = bulk();
  json["fixed_point"]["references"] = 1;
  EXPECT_EQ(refusal(json), "fixed_point.references: must be all users with the scheme exact");
}

TEST(Run, CountsEveryPacketAndSharesTheLink) {
  const Json result = run(bulk(), 1);
  expect_packets_counted_and_link_shared(result);
  EXPECT_FALSE(result["metrics"].contains("iteration_converged"));
}

TEST(Run, SameSeedSameBytes) {
  EXPECT_EQ(run(bulk(), 7).dump(), run(bulk(), 7).dump());
  EXPECT_NE(run(bulk(), 7).dump(), run(bulk(), 8).dump());
}

TEST(Run, DistributionsOfWebUsersAddUpToOne) {
  Json json = web();
  json["stations"].erase(1);  // quick without other traffic
  expect_distributions_add_up_to_one(run(json, 3));
}

TEST(Run, WithoutConvergenceThereAreTheTestsAndTheLastTwoIteratesAlone) {
  Json json = bulk();
  json["fixed_point"].update(Json::parse(
      R"({"scheme": "1", "references": 3, "step_packets": 20000, "min_steps": 2, "max_steps": 2})"));
  const Json result = run(json, 1);
  EXPECT_EQ(metric(result, "iteration_converged"), 0);
  EXPECT_EQ(metric(result, "iteration_steps"), 2);
  EXPECT_GT(metric(result, "iterate_send_rate[last]"), 0);
  EXPECT_GT(metric(result, "iterate_send_rate[before-last]"), 0);
  EXPECT_FALSE(result["metrics"].contains("loss_ratio"));
  EXPECT_TRUE(result["distributions"].empty());
}

}  // namespace
}  // namespace fixed_point
