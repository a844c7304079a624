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

constexpr kit::Engine kEngine{.name = "fixed_point", .version = "1"};

Json run(const Json& json, std::uint64_t seed) {
  const Point point = parse_point(json, "point.json");
  return run_json(point, seed, solve(point.settings, seed), kEngine);
}

TEST(Run, CountsEveryPacketAndSharesTheLink) {
  const Json result = run(bulk(), 1);
  expect_packets_counted_and_link_shared(result);
  EXPECT_FALSE(result["metrics"].contains("iteration_converged"));
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
