// Normal and lognormal variables against their moments and distribution functions.

#include "kit/random/normal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace kit {
namespace {

constexpr int kDraws = 1'000'000;

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// The layers reach the top of the curve, and the lowest one with the tail has the area of the others.
TEST(Normals, LayersCoverTheCurve) {
  const NormalLayers layers;
  constexpr double kTail = NormalLayers::kTail;
  EXPECT_NEAR(layers.height.back(), 1, 1e-14);
  const double tail_area = std::sqrt(std::numbers::pi / 2) * std::erfc(kTail / std::numbers::sqrt2);
  EXPECT_NEAR(kTail * std::exp(-kTail * kTail / 2) + tail_area, NormalLayers::kArea, 1e-16);
}

TEST(Normals, HaveTheTailsOfTheLaw) {
  Normals normals(Random(5, Stream::kBursts));
  int above = 0;
  int below = 0;
  int far = 0;
  constexpr int kMany = 10 * kDraws;
  for (int i = 0; i < kMany; ++i) {
    const double value = normals.draw();
    above += value > NormalLayers::kTail;
    below += value < -NormalLayers::kTail;
    far += std::abs(value) > 4.5;
  }
  const auto near = [](int count, double p) {
    EXPECT_NEAR(static_cast<double>(count) / kMany, p, 5 * std::sqrt(p / kMany));
  };
  near(above, normal_cdf(-NormalLayers::kTail));
  near(below, normal_cdf(-NormalLayers::kTail));
  near(far, 2 * normal_cdf(-4.5));
}

TEST(Normals, HaveTheNormalDistributionFunction) {
  Normals normals(Random(1, Stream::kBursts));
  std::array<int, 9> below{};
  for (int i = 0; i < kDraws; ++i) {
    const double value = normals.draw();
    for (std::size_t k = 0; k < below.size(); ++k) {
      below[k] += value < static_cast<double>(k) - 4;
    }
  }
  for (std::size_t k = 0; k < below.size(); ++k) {
    const double p = normal_cdf(static_cast<double>(k) - 4);
    EXPECT_NEAR(static_cast<double>(below[k]) / kDraws, p, 5 * std::sqrt(p * (1 - p) / kDraws)) << k;
  }
}

// Renewal theory: the residual life has the mean E X^2 / 2 E X, and exceeds x with probability
// E (X - x)+ / E X, which for a lognormal law is the formula of Black and Scholes.
TEST(Lognormal, ResidualIsTheOneOfRenewalTheory) {
  Normals normals(Random(4, Stream::kThinkTimes));
  const Lognormal law(30, 30);
  double sum = 0;
  double above = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = law.draw_residual(normals);
    sum += value;
    above += value > 30;
  }
  EXPECT_NEAR(sum / kDraws, 30, 5 * 30 * std::sqrt(13.0 / 3) / 1e3);
  const double shape = std::sqrt(std::log(2.0));
  const double p = normal_cdf(shape / 2) - normal_cdf(-shape / 2);
  EXPECT_NEAR(above / kDraws, p, 5 * std::sqrt(p * (1 - p)) / 1e3);
}

}  // namespace
}  // namespace kit
