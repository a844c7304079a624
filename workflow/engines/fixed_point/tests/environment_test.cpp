// What cross flows learn from the references.

#include "environment.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace fixed_point {
namespace {

Environment of(double send_rate, double service_s, const std::vector<double>& queue_at_most) {
  Environment result;
  result.send_rate.fill(send_rate);
  result.service.fill({service_s, 0});
  result.queue_at_most = queue_at_most;
  return result;
}

// Two states: a reference that is faster by half in both than cross flows are there has a residual of a half,
// whatever time it spends in either.
TEST(Residual, ComparesStateByState) {
  Environment acted_on = of(10, 0.1, {0, 0.5, 1});  // queues of 1 and 2: on average 1.5
  acted_on.send_rate[5] = 40;
  acted_on.service[5].mean_s = 0.4;
  for (const double share : {0.1, 0.9}) {
    EnvironmentEstimate estimate;
    for (const auto& [state, rate, service_s] : {std::tuple{3U, 15.0, 0.05}, std::tuple{5U, 60.0, 0.2}}) {
      const double time_s = 1000 * (state == 3 ? share : 1 - share);
      estimate.add_on_time(state, time_s);
      for (int packet = 0; packet < rate * time_s; ++packet) {
        estimate.add_sent(state);
        estimate.add_service(state, service_s);
        estimate.add_queue(3);
      }
    }
    const Residual residual = estimate.residual(acted_on);
    EXPECT_NEAR(residual.send_rate, 0.5, 1e-3);
    EXPECT_NEAR(residual.service, -0.5, 1e-9);
    EXPECT_NEAR(residual.queue, 3 / 1.5 - 1, 1e-9);
  }
}

TEST(EnvironmentEstimate, AddsBatches) {
  EnvironmentEstimate first;
  EnvironmentEstimate second;
  first.add_on_time(3, 10);
  second.add_on_time(3, 30);
  for (int packet = 0; packet < 100; ++packet) {
    first.add_sent(3);
    second.add_sent(3);
    first.add_service(3, 0.1);
    second.add_service(3, 0.3);
    second.add_queue(packet % 2 == 0 ? 4 : 2);
  }
  first.add(second);
  const Environment seen = first.environment({}, true, 0);
  EXPECT_NEAR(seen.send_rate[3], 200 / 40.0, 1e-9);
  EXPECT_NEAR(seen.service[3].mean_s, 0.2, 1e-9);
  EXPECT_EQ(seen.queue_at_most, (std::vector<double>{0, 0, 0.5, 0.5, 1}));
}

// With weights of 2 / (k + 1) the k-th step counts k times as much as the first: (1 + 2 * 2 + 3 * 3) / 6.
TEST(Environment, LearnsByWeight) {
  Environment known = of(100, 100, {1});
  known.learn(of(1, 1, {1}), 1);
  known.learn(of(2, 2, {1}), 2.0 / 3);
  known.learn(of(3, 3, {0, 1}), 2.0 / 4);
  EXPECT_NEAR(known.send_rate[7], 14 / 6.0, 1e-12);
  EXPECT_NEAR(known.service[7].mean_s, 14 / 6.0, 1e-12);
  ASSERT_EQ(known.queue_at_most.size(), 2U);
  EXPECT_NEAR(known.queue_at_most[0], 0.5, 1e-12);  // 3 of the 6 weights
  EXPECT_NEAR(known.queue_at_most[1], 1, 1e-12);
}

}  // namespace
}  // namespace fixed_point
