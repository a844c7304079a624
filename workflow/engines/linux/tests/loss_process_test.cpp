#include "live/loss_process.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace linux_engine {
namespace {

std::vector<bool> pattern(double probability, std::uint64_t seed, std::uint64_t stream,
                          std::uint64_t packets) {
  LossProcess loss(probability, seed, stream);
  std::vector<bool> lost(packets);
  for (std::uint64_t i = 0; i < packets; ++i) {
    lost[i] = loss.loses(true);
  }
  return lost;
}

// The simulators draw once for each packet that leaves the bottleneck.
TEST(LossProcess, LosesTheDataThatASimulatorLoses) {
  LossProcess loss(0.1, 7, 0);
  kit::Random simulator(7, kit::Stream::kLinkLoss);
  int lost = 0;
  for (int i = 0; i < 10'000; ++i) {
    const bool expected = simulator.uniform() <= 0.1;
    EXPECT_EQ(loss.loses(true), expected) << "packet " << i;
    if (i % 3 == 0) {
      lost += loss.loses(false);
    }
  }
  EXPECT_NEAR(lost, 333, 5 * std::sqrt(333 * 0.9));  // without data: as likely, but drawn apart
}

TEST(LossProcess, RepeatsForASeedAndDiffersBetweenSeedsAndStreams) {
  const auto first = pattern(0.1, 7, 0, 10'000);
  EXPECT_EQ(first, pattern(0.1, 7, 0, 10'000));
  EXPECT_NE(first, pattern(0.1, 8, 0, 10'000));
  EXPECT_NE(first, pattern(0.1, 7, 1, 10'000));
}

TEST(LossProcess, LosesNothingAtZero) {
  const auto lost = pattern(0, 1, 0, 10'000);
  EXPECT_EQ(std::count(lost.begin(), lost.end(), true), 0);
}

// Mean, and pairs of neighbours, within five standard deviations of independent draws; over many seeds, since
// a weak generator shows between seeds rather than inside one.
TEST(LossProcess, IsBernoulliWithinAndAcrossSeeds) {
  constexpr double p = 0.025;
  constexpr std::uint64_t seeds = 2'000, packets = 500;
  double losses = 0, pairs = 0, same_index = 0;
  std::vector<bool> before(packets);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto lost = pattern(p, seed, 0, packets);
    for (std::uint64_t i = 0; i < packets; ++i) {
      losses += lost[i];
      pairs += i > 0 && lost[i] && lost[i - 1];
      same_index += lost[i] && before[i];
    }
    before = lost;
  }
  const double n = static_cast<double>(seeds * packets);
  EXPECT_NEAR(losses, n * p, 5 * std::sqrt(n * p * (1 - p)));
  EXPECT_NEAR(pairs, n * p * p * 499 / 500, 5 * std::sqrt(n * p * p));
  EXPECT_NEAR(same_index, n * p * p * 1'999 / 2'000, 5 * std::sqrt(n * p * p));
}

}  // namespace
}  // namespace linux_engine
