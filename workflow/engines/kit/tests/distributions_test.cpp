// The generator, the portable functions, and the file sizes against the closed forms and the paper's table 1.

#include "kit/random/distributions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kit {
namespace {

TEST(PortableMath, AgreesWithTheLibrary) {
  Random random(1, Stream::kFileSize);
  for (int i = 0; i < 100'000; ++i) {
    const double u = random.uniform();
    EXPECT_NEAR(portable_log(u), std::log(u), 1e-15 * std::max(1.0, std::fabs(std::log(u))));
    const double x = 60 * (u - 0.5);
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 2e-15);
  }
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(0), 1);
}

// First outputs of the reference implementation of xoshiro256++ 1.0 for the state 1, 2, 3, 4 are 41943041,
// 58720359,
// ...; the state here comes from splitmix64, so that only moments can be compared.
TEST(Random, IsUniform) {
  Random random(7, Stream::kOffTime);
  constexpr int kDraws = 1'000'000;
  std::vector<int> cells(100, 0);
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LE(u, 1);
    ++cells[static_cast<std::size_t>(std::ceil(u * 100)) - 1];
  }
  double chi_squared = 0;
  for (const int cell : cells) {
    chi_squared += std::pow(cell - kDraws / 100.0, 2) / (kDraws / 100.0);
  }
  EXPECT_LT(chi_squared, 160);  // 99 degrees of freedom: exceeded with probability 1e-4
}

TEST(Random, StreamsDiffer) {
  EXPECT_NE(Random(1, Stream::kFileSize).bits(), Random(1, Stream::kOffTime).bits());
  EXPECT_NE(Random(1, Stream::kFileSize).bits(), Random(2, Stream::kFileSize).bits());
}

TEST(Exponentials, AreThoseOfTheStreamOneByOne) {
  Random random(5, Stream::kOffTime);
  Exponentials block(5, Stream::kOffTime);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(block.exponential(), random.exponential());
  }
}

FileSize file_size(FileSize::Distribution distribution, double mean) {
  return {.distribution = distribution,
          .mean_packets = mean,
          .minimum_packets = 3,
          .tail_share = 0.1,
          .tail_index = 1.5,
          .tail_mean_ratio = 7};
}

std::vector<std::int32_t> draw(const FileSize& size, int count) {
  const FileSizeSampler sampler(size);
  Draws random = Draws::of_sizes(99);
  std::vector<std::int32_t> sizes;
  for (int i = 0; i < count; ++i) {
    sizes.push_back(sampler.draw(random));
  }
  return sizes;
}

double share_between(const std::vector<std::int32_t>& sizes, std::int32_t low, std::int32_t high) {
  return static_cast<double>(std::count_if(sizes.begin(), sizes.end(),
                                           [&](std::int32_t size) { return low <= size && size <= high; })) /
         static_cast<double>(sizes.size());
}

struct PrintedShare {
  FileSize::Distribution distribution;
  double mean;
  std::int32_t low, high;
  double percent;
};

// Zaragoza 2014, table 1 (and table 4 for EE): shares of 800,000 to 80,000 sampled sizes, printed to 0.1
// point or finer. Four standard errors of the printed sample and of ours, plus half a printed digit.
TEST(FileSizes, FollowTheMixOfTable1) {
  using D = FileSize::Distribution;
  const std::vector<PrintedShare> printed = {{D::kExponential, 12, 3, 6, 32.2},
                                             {D::kExponential, 12, 7, 14, 39.9},
                                             {D::kExponential, 12, 15, 30, 23.2},
                                             {D::kExponential, 12, 31, 62, 4.6},
                                             {D::kExponentialPareto, 12, 3, 6, 43.6},
                                             {D::kExponentialPareto, 12, 7, 14, 41.2},
                                             {D::kExponentialPareto, 12, 15, 30, 11.1},
                                             {D::kExponentialPareto, 12, 31, 62, 2.7},
                                             {D::kExponential, 120, 129, 256, 23.0},
                                             {D::kExponentialPareto, 120, 129, 256, 16.2},
                                             {D::kExponentialExponential, 12, 3, 6, 90.19},
                                             {D::kExponentialExponential, 12, 63, 128, 2.73}};
  std::map<std::pair<D, double>, std::vector<std::int32_t>> drawn;
  for (const auto& row : printed) {
    auto& sizes = drawn[{row.distribution, row.mean}];
    if (sizes.empty()) {
      sizes = draw(file_size(row.distribution, row.mean), 1'000'000);
    }
    const double sample = row.mean == 12 ? 800'000 : 80'000;
    const double p = row.percent / 100;
    const double tolerance = 4 * std::sqrt(p * (1 - p) * (1 / sample + 1e-6)) + 0.0005;
    EXPECT_NEAR(share_between(sizes, row.low, row.high), p, tolerance)
        << "mean " << row.mean << ", " << row.low << " to " << row.high;
  }
}

// Means of light-tailed sizes are the mean asked for, but for the rounding to whole packets: an exponential
// body that starts on a whole number loses to rounding what the first half cell holds below its middle.
TEST(FileSizes, HaveTheMeanAskedFor) {
  using D = FileSize::Distribution;
  for (const double mean : {22.0, 80.0, 120.0}) {
    for (const D distribution : {D::kExponential, D::kExponentialExponential}) {
      const auto sizes = draw(file_size(distribution, mean), 500'000);
      double sum = 0, squares = 0;
      for (const double size : sizes) {
        sum += size;
        squares += size * size;
      }
      const double n = static_cast<double>(sizes.size());
      const double error = std::sqrt((squares / n - sum / n * sum / n) / n);
      EXPECT_NEAR(sum / n, mean, 4 * error + 0.05) << "mean " << mean;
    }
  }
}

TEST(FileSizes, FixedIsFixed) {
  for (const auto size : draw({.distribution = FileSize::Distribution::kFixed, .mean_packets = 17}, 100)) {
    EXPECT_EQ(size, 17);
  }
}

TEST(FileSizes, ParetoTailHasItsIndex) {
  const auto sizes = draw(file_size(FileSize::Distribution::kExponentialPareto, 12), 4'000'000);
  // G(x) = H (k / x)^1.5 beyond k = 17.2 (table 1's heading), at the edges of rounding cells.
  for (const double x : {50.5, 200.5, 1000.5}) {
    const double expected = 0.1 * std::pow(17.2 / x, 1.5);
    const double found = share_between(sizes, static_cast<std::int32_t>(x + 0.5), INT32_MAX);
    EXPECT_NEAR(found, expected, 4 * std::sqrt(expected / 4e6) + 0.005 * expected) << "x " << x;
  }
}

TEST(Start, IsUniformOverTheSpread) {
  Random random(11, Stream::kStart);
  std::array<int, 4> quarters{};
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    const double start_s = seconds(draw_start(0.2, random));
    ASSERT_GT(start_s, 0);
    ASSERT_LE(start_s, 0.2);
    ++quarters[std::min<std::size_t>(static_cast<std::size_t>(start_s / 0.05), 3)];
  }
  for (const int count : quarters) {
    EXPECT_NEAR(count, kDraws / 4,
                5 * std::sqrt(kDraws * 0.25 * 0.75));  // binomial, five standard deviations
  }
}

TEST(Start, WithoutASpreadIsThatOfTheRunAndDrawsNothing) {
  Random random(11, Stream::kStart);
  EXPECT_EQ(draw_start(0, random), 0);
  EXPECT_EQ(random.bits(), Random(11, Stream::kStart).bits());
}

// The lognormal law of a given mean and standard deviation, by its first two moments; of the sizes, which are
// rounded, a uniform error's twelfth is more. What is left of a time found at random has the mean E[X^2] / 2
// E[X].
TEST(Lognormal, SizesAndTimesHaveTheirMoments) {
  constexpr int kDraws = 1'000'000;
  constexpr double kMean = 50;
  constexpr double kDeviation = 40;
  const FileSizeSampler sizes({.distribution = FileSize::Distribution::kLognormal,
                               .mean_packets = kMean,
                               .standard_deviation_packets = kDeviation});
  const OffTimeSampler times({.distribution = OffTime::Distribution::kLognormal,
                              .mean_s = kMean,
                              .standard_deviation_s = kDeviation});
  Draws of_sizes = Draws::of_sizes(3);
  Draws of_times = Draws::of_times(3);
  double size = 0;
  double time = 0;
  double squares = 0;
  double left = 0;
  const double second = kMean * kMean + kDeviation * kDeviation;
  double below_median = 0;
  for (int i = 0; i < kDraws; ++i) {
    size += sizes.draw(of_sizes);
    const double one = seconds(times.draw(of_times));
    time += one;
    squares += one * one;
    below_median += one < kMean * kMean / std::sqrt(second);
    left += seconds(times.draw_residual(of_times));
  }
  // Four standard errors; those of the square and of what is left from the moments exp(k^2 sigma^2 / 2).
  const double error = 4 / std::sqrt(kDraws);
  const double ratio = second / (kMean * kMean);
  EXPECT_NEAR(size / kDraws, kMean, error * kDeviation);
  EXPECT_NEAR(time / kDraws, kMean, error * kDeviation);
  EXPECT_NEAR(squares / kDraws, second, error * second * std::sqrt(std::pow(ratio, 4) - 1));
  EXPECT_NEAR(below_median / kDraws, 0.5, error * 0.5);
  EXPECT_NEAR(left / kDraws, second / (2 * kMean), error * kMean * std::sqrt(std::pow(ratio, 3) / 3));
}

TEST(Lognormal, SizesAndTimesWithoutDeviationAreConstant) {
  Draws random = Draws::of_times(1);
  EXPECT_EQ(
      FileSizeSampler({.distribution = FileSize::Distribution::kLognormal, .mean_packets = 7}).draw(random),
      7);
  EXPECT_EQ(OffTimeSampler({.distribution = OffTime::Distribution::kLognormal, .mean_s = 7}).draw(random),
            picoseconds(7));
}

TEST(OffTime, WhatIsLeftOfAConstantIsUniform) {
  const OffTimeSampler times({.mean_s = 2});
  Draws random = Draws::of_times(1);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double left = seconds(times.draw_residual(random));
    ASSERT_LE(left, 2);
    sum += left;
  }
  EXPECT_NEAR(sum / 100'000, 1, 4 * 2 / std::sqrt(12 * 100'000));
}

}  // namespace
}  // namespace kit
