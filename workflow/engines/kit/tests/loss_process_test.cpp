// Loss processes against exact positions and closed forms.

#include "kit/random/loss_process.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace kit {
namespace {

Bottleneck link(double loss, Losses losses) {
  Bottleneck link;
  link.loss_probability = loss;
  link.losses = losses;
  return link;
}

LossProcess evenly_spaced(double loss, std::uint64_t seed) {
  return {link(loss, {.kind = Losses::Kind::kEvenlySpaced}), seed};
}

// Which of the next packets are lost, from 1.
std::vector<std::int64_t> lost_of(LossProcess losses, std::int64_t packets) {
  std::vector<std::int64_t> lost;
  for (std::int64_t packet = 1; packet <= packets; ++packet) {
    if (losses.loses(0)) {
      lost.push_back(packet);
    }
  }
  return lost;
}

TEST(EvenlySpacedLosses, AreOnePacketInSoMany) {
  for (const double period : {2.0, 3.0, 7.0, 100.0, 1e5}) {
    const auto lost = lost_of(evenly_spaced(1 / period, 5), static_cast<std::int64_t>(200 * period));
    ASSERT_EQ(lost.size(), 200U) << period;
    EXPECT_LE(lost.front(), period);
    for (std::size_t k = 1; k < lost.size(); ++k) {
      ASSERT_EQ(static_cast<double>(lost[k] - lost[k - 1]), period);
    }
  }
}

// Gaps of the two whole numbers around 1/p, and no drift: of n packets p n are lost, to the nearest ones.
TEST(EvenlySpacedLosses, KeepToAShareThatIsNoWholePeriod) {
  for (const double p : {0.3, 0.45, 0.007, 0.999}) {
    constexpr std::int64_t kPackets = 1'000'000;
    const auto lost = lost_of(evenly_spaced(p, 1), kPackets);
    EXPECT_NEAR(static_cast<double>(lost.size()), p * kPackets, 1) << p;
    for (std::size_t k = 1; k < lost.size(); ++k) {
      const auto gap = static_cast<double>(lost[k] - lost[k - 1]);
      ASSERT_TRUE(gap == std::floor(1 / p) || gap == std::ceil(1 / p)) << gap;
    }
  }
}

TEST(EvenlySpacedLosses, BeginAnywhereInTheFirstGap) {
  constexpr int kPeriod = 4, kSeeds = 4000;
  std::vector<int> first_at(kPeriod + 1);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ++first_at[static_cast<std::size_t>(lost_of(evenly_spaced(1.0 / kPeriod, seed), kPeriod).at(0))];
  }
  const double expected = static_cast<double>(kSeeds) / kPeriod;
  for (std::size_t position = 1; position <= kPeriod; ++position) {
    EXPECT_NEAR(first_at[position], expected, 5 * std::sqrt(expected)) << position;
  }
}

struct Burst {
  double loss, length, within;
};

class Bursts : public testing::TestWithParam<Burst> {};

// With every packet of a burst lost, runs of losses are the bursts themselves: b packets on average, with a
// geometric law, (1 - 1/b)^k of them longer than k; the gaps between them last b (1 - p) / p.
TEST_P(Bursts, HaveTheMeanLossAndLength) {
  const auto [p, b, h] = GetParam();
  LossProcess losses(link(p, {Losses::Kind::kBursts, b, h}), 3);
  constexpr std::int64_t kPackets = 20'000'000;
  std::int64_t lost = 0, runs = 0, longer_than_2 = 0, run = 0, both = 0;
  bool before = false;
  for (std::int64_t packet = 0; packet < kPackets; ++packet) {
    const bool now = losses.loses(0);
    lost += now;
    both += now && before;
    if (now) {
      ++run;
    } else if (run > 0) {
      ++runs;
      longer_than_2 += run > 2;
      run = 0;
    }
    before = now;
  }
  const auto share = [](std::int64_t count, std::int64_t of) {
    return static_cast<double>(count) / static_cast<double>(of);
  };
  // The number of bursts has a standard deviation of at most its root; a burst's length one of about b.
  const double scatter = 6 / std::sqrt(p / h / b * kPackets);
  EXPECT_NEAR(share(lost, kPackets) / p, 1, scatter);
  // Two packets in a row: both in the same burst, or one ends and the next begins at once.
  const double bad = p / h, enter = bad / (1 - bad) / b;
  EXPECT_NEAR(share(both, lost) / (h * (1 - 1 / b)), 1, b == 1 ? 0 : scatter + enter);
  if (h == 1) {
    EXPECT_NEAR(share(lost, runs) / b, 1, scatter);
    EXPECT_NEAR(share(longer_than_2, runs), std::pow(1 - 1 / b, 2), scatter);
    EXPECT_NEAR(share(kPackets - lost, runs) / (b * (1 - p) / p), 1, scatter);
  }
}

INSTANTIATE_TEST_SUITE_P(Links, Bursts,
                         testing::Values(Burst{0.01, 5, 1}, Burst{0.2, 2.5, 1}, Burst{0.001, 50, 1},
                                         Burst{0.02, 10, 0.5}, Burst{0.3, 4, 0.8}));

// Bursts of one packet are single losses: none follows another.
TEST(BurstsOfOne, AreNeverTwoInARow) {
  const auto lost = lost_of({link(0.2, {.kind = Losses::Kind::kBursts}), 3}, 1'000'000);
  EXPECT_NEAR(static_cast<double>(lost.size()), 200'000, 5 * std::sqrt(200'000));
  for (std::size_t k = 1; k < lost.size(); ++k) {
    ASSERT_GT(lost[k], lost[k - 1] + 1);
  }
}

// Packets every d: after a packet in a burst the next one is in one with probability
// pi + (1 - pi) exp(-d (1/b + 1/g)), where b and g are the mean times of bursts and between them, pi = b / (b
// + g). So a flow of a tenth of the rate loses a tenth of the packets in a burst.
TEST(TimedBursts, HaveTheirShareAndLengthWhateverTheRate) {
  for (const double h : {1.0, 0.5}) {
    for (const Picoseconds spacing : {Picoseconds{1'000'000'000}, Picoseconds{10'000'000'000}}) {
      constexpr double kShare = 0.0256, kBurst_s = 0.0167;
      LossProcess losses(
          link(kShare * h, {.kind = Losses::Kind::kTimedBursts, .burst_loss = h, .burst_time_s = kBurst_s}),
          3);
      constexpr std::int64_t kPackets = 4'000'000;
      std::int64_t lost = 0, both = 0;
      bool before = false;
      for (std::int64_t packet = 0; packet < kPackets; ++packet) {
        const bool now = losses.loses(packet * spacing);
        lost += now;
        both += now && before;
        before = now;
      }
      const double d_s = 1e-12 * static_cast<double>(spacing), between_s = kBurst_s * (1 / kShare - 1);
      const double again = kShare + (1 - kShare) * std::exp(-d_s * (1 / kBurst_s + 1 / between_s));
      const double bursts = kPackets * d_s / (kBurst_s + between_s);
      const double scatter = 6 * std::sqrt(2 / bursts);
      EXPECT_NEAR(static_cast<double>(lost) / kPackets / (kShare * h), 1, scatter);
      EXPECT_NEAR(static_cast<double>(both) / static_cast<double>(lost) / (h * again), 1, scatter);
    }
  }
}

TEST(Losses, OfAnyKindAreNoneWhereTheShareIsZero) {
  for (const auto kind : {Losses::Kind::kIndependent, Losses::Kind::kEvenlySpaced, Losses::Kind::kBursts,
                          Losses::Kind::kTimedBursts}) {
    LossProcess losses(link(0, {.kind = kind}), 1);
    EXPECT_FALSE(losses.any());
    EXPECT_TRUE(lost_of(losses, 1000).empty());
  }
}

}  // namespace
}  // namespace kit
