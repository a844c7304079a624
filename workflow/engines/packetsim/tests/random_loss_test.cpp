// Bulk sources of every variant on a lossy link.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

// A source on an empty path with a round-trip time of 100 ms, whose buffer never fills.
Point lossy_point(const std::string& variant, double loss) {
  Point point = bulk_point();
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 1e9, .delay_s = 0.05}, loss, 100'000};
  point.return_delay_s = 0.05;
  point.groups[0].access = {.rate_bit_per_s = 1e9, .delay_s = 0};
  point.groups[0].tcp = {
      .variant = variant, .rwnd_packets = 4096, .initial_window_packets = 2, .min_rto_s = 1, .max_rto_s = 64};
  point.stop.duration_s = 2000;
  return point;
}

double metric(const Json& run, const char* name) { return run["metrics"][name]["value"].get<double>(); }

class RandomLoss : public testing::TestWithParam<const char*> {};

// Of n packets, p n are lost, with a standard deviation of sqrt(n p (1 - p)).
TEST_P(RandomLoss, CountsInTheLossRatioAndNotInTheDropRatio) {
  constexpr double kLoss = 0.01;
  const Point point = lossy_point(GetParam(), kLoss);
  const Measurements measured = simulate(point, 3);
  const Json run = run_json(point, 3, measured, kEngine);
  const auto arrivals = static_cast<double>(measured.counters.packets_lost + measured.packets.carried);
  EXPECT_EQ(metric(run, "drop_ratio"), 0);
  EXPECT_DOUBLE_EQ(metric(run, "loss_ratio"), static_cast<double>(measured.counters.packets_lost) / arrivals);
  EXPECT_NEAR(metric(run, "loss_ratio"), kLoss, 4 * std::sqrt(kLoss * (1 - kLoss) / arrivals));
}

TEST_P(RandomLoss, OfTheWarmUpIsNotCounted) {
  Point point = lossy_point(GetParam(), 0.01);
  point.stop.duration_s = 1000;
  const Measurements first = simulate(point, 3);
  point.stop.warmup_s = 1000;
  const Measurements second = simulate(point, 3);
  EXPECT_EQ(second.random_losses, second.counters.packets_lost - first.counters.packets_lost);
}

TEST_P(RandomLoss, ThatIsEvenlySpacedTakesEveryHundredthPacket) {
  Point point = lossy_point(GetParam(), 0.01);
  point.dumbbell().bottleneck.losses.kind = Losses::Kind::kEvenlySpaced;
  const Measurements measured = simulate(point, 3);
  const auto arrivals = static_cast<double>(measured.counters.packets_lost + measured.packets.carried);
  EXPECT_GT(measured.counters.packets_lost, 1000);
  EXPECT_NEAR(static_cast<double>(measured.counters.packets_lost), 0.01 * arrivals, 1);
}

INSTANTIATE_TEST_SUITE_P(Variants, RandomLoss, testing::Values("newreno", "reno", "tahoe"));

// Mathis, Semke, Mahdavi and Ott 1997, equation 3 with C = 1.31 (their table 1: random losses, an
// acknowledgement for each packet). NewReno, whose recoveries take little time, comes near to it.
TEST(SquareRootFormula, HoldsForNewReno) {
  constexpr double kLoss = 0.0005;
  constexpr double kRoundTrip = 0.1;
  Point point = lossy_point("newreno", kLoss);
  point.stop.duration_s = 5000;
  const Json run = run_json(point, 1, simulate(point, 1), kEngine);
  const double expected = 1.31 / (kRoundTrip * std::sqrt(kLoss));
  EXPECT_NEAR(metric(run, "goodput"), expected, 0.1 * expected);
}

}  // namespace
}  // namespace packetsim
