// Fractional Gaussian noise: its covariance exactly and from samples, and its special cases.

#include "kit/random/fractional_noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "kit/random/normal.hpp"

namespace kit {
namespace {

using Complex = std::complex<double>;

// The closed form in extended precision; good to 1e-12 up to lag 1000.
double closed_form(double hurst, std::size_t lag) {
  const auto k = static_cast<long double>(lag);
  const long double e = 2.0L * static_cast<long double>(hurst);
  return static_cast<double>((std::pow(k + 1, e) + std::pow(std::fabs(k - 1), e)) / 2 - std::pow(k, e));
}

TEST(NoiseAutocovariance, IsTheClosedFormOnBothSidesOfTheSeries) {
  for (const double hurst : {0.05, 0.3, 0.5, 0.7, 0.95}) {
    EXPECT_DOUBLE_EQ(noise_autocovariance(hurst, 0), 1);
    for (std::size_t lag = 1; lag <= 1000; ++lag) {
      ASSERT_NEAR(noise_autocovariance(hurst, lag), closed_form(hurst, lag), 1e-12) << hurst << ' ' << lag;
    }
    // H (2H - 1) k^(2H - 2), with a next term smaller by (2H - 2)(2H - 3) / 12 / k^2.
    const double asymptotic = hurst * (2 * hurst - 1) * std::pow(1e6, 2 * hurst - 2);
    EXPECT_NEAR(noise_autocovariance(hurst, 1'000'000), asymptotic, 1e-12 * std::fabs(asymptotic) + 1e-300);
  }
}

// The rows of the linear map, one for each real and each imaginary normal, multiplied with their transpose:
// the covariance matrix of what is generated, without any chance in it.
TEST(FractionalNoise, HasExactlyTheCovarianceOfTheEmbedding) {
  constexpr std::size_t kPeriod = 32;
  for (const double hurst : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    std::vector<std::vector<double>> covariance(kPeriod, std::vector<double>(kPeriod, 0.0));
    for (std::size_t i = 0; i < 2 * kPeriod; ++i) {
      std::vector<Complex> unit(kPeriod);
      unit[i / 2] = i % 2 == 0 ? Complex(1, 0) : Complex(0, 1);
      const std::vector<double> row = noise_from(hurst, unit);
      for (std::size_t a = 0; a < kPeriod; ++a) {
        for (std::size_t b = 0; b < kPeriod; ++b) {
          covariance[a][b] += row[a] * row[b];
        }
      }
    }
    for (std::size_t a = 0; a < kPeriod; ++a) {
      for (std::size_t b = 0; b < kPeriod; ++b) {
        const std::size_t apart = a > b ? a - b : b - a;
        ASSERT_NEAR(covariance[a][b], closed_form(hurst, std::min(apart, kPeriod - apart)), 1e-13);
      }
    }
  }
}

TEST(FractionalNoise, WithHurstOneHalfIsWhite) {
  for (std::size_t lag = 1; lag < 100; ++lag) {
    EXPECT_NEAR(noise_autocovariance(0.5, lag), 0, 1e-13) << lag;
  }
}

// Means over independent paths: within five standard errors of the closed form, which chance alone exceeds
// once in two million; a wrong exponent of 0.02 is 20 of them.
TEST(FractionalNoise, SampledAutocovarianceIsTheClosedForm) {
  constexpr std::size_t kPeriod = 1U << 10U;
  constexpr int kPaths = 400;
  constexpr std::array<std::size_t, 6> kLags = {0, 1, 2, 5, 20, 100};
  for (const double hurst : {0.3, 0.7}) {
    std::array<double, kLags.size()> sums{};
    std::array<double, kLags.size()> squares{};
    for (int path = 0; path < kPaths; ++path) {
      const std::vector<double> noise = fractional_noise(hurst, kPeriod, static_cast<std::uint64_t>(path));
      for (std::size_t k = 0; k < kLags.size(); ++k) {
        double product = 0;
        for (std::size_t i = 0; i < kPeriod; ++i) {
          product += noise[i] * noise[(i + kLags[k]) % kPeriod];
        }
        product /= kPeriod;
        sums[k] += product;
        squares[k] += product * product;
      }
    }
    for (std::size_t k = 0; k < kLags.size(); ++k) {
      const double mean = sums[k] / kPaths;
      const double error = std::sqrt((squares[k] / kPaths - mean * mean) / kPaths);
      EXPECT_NEAR(mean, closed_form(hurst, kLags[k]), 5 * error) << "H " << hurst << ", lag " << kLags[k];
      EXPECT_LT(error, 0.01);
    }
  }
}

// The variance of a sum of n values of noise is n^2H: fractional Brownian motion is self-similar.
TEST(FractionalNoise, SumsGrowWithTheHurstParameter) {
  constexpr int kPaths = 4000;
  constexpr std::size_t kSum = 128;
  double squares = 0;
  for (int path = 0; path < kPaths; ++path) {
    const std::vector<double> noise =
        fractional_noise(0.7, 2 * kSum, 1000 + static_cast<std::uint64_t>(path));
    double sum = 0;
    for (std::size_t i = 0; i < kSum; ++i) {
      sum += noise[i];
    }
    squares += sum * sum;
  }
  // A normal variable's square has a standard deviation of sqrt 2 times its mean.
  EXPECT_NEAR(squares / kPaths / std::pow(kSum, 1.4), 1, 5 * std::sqrt(2.0 / kPaths));
}

TEST(FractionalNoise, SameSeedSameBytes) {
  EXPECT_EQ(fractional_noise(0.7, 64, 3), fractional_noise(0.7, 64, 3));
  EXPECT_NE(fractional_noise(0.7, 64, 3), fractional_noise(0.7, 64, 4));
}

TEST(FractionalNoise, RefusesWhatIsNoNoise) {
  for (const double hurst : {-0.1, 0.0, 1.0, 1.5, std::nan("")}) {
    EXPECT_THROW(fractional_noise(hurst, 64, 1), std::invalid_argument) << hurst;
  }
  EXPECT_THROW(fractional_noise(0.7, 0, 1), std::invalid_argument);
  EXPECT_THROW(fractional_noise(0.7, 96, 1), std::invalid_argument);
}

}  // namespace
}  // namespace kit
