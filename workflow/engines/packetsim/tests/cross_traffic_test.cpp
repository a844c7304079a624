// Cross traffic: when it comes, that it takes its share of the queue, and that no packet is lost count of.

#include "kit/random/cross_traffic.hpp"

#include <gtest/gtest.h>

#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

using Kind = CrossTrafficSpec::Kind;

constexpr std::int32_t kBytes = 576;
constexpr double kPacketBits = 8.0 * kBytes;

TEST(CrossTraffic, DeterministicPacketsComeAtTheirPhaseAndPeriod) {
  CrossTraffic traffic({.kind = Kind::kDeterministic, .rate_bit_per_s = 3 * kPacketBits, .phase = 0.25},
                       kBytes, 1);
  for (std::int64_t k = 0; k < 1'000'000; ++k) {
    // (k + 1/4) / 3 s, to what a double tells apart after four days: no rounding adds up.
    ASSERT_NEAR(static_cast<double>(traffic.next()), (static_cast<double>(k) + 0.25) / 3 * 1e12, 128);
    traffic.advance();
  }
}

TEST(CrossTraffic, ThePhaseIsDrawnFromTheSeed) {
  const CrossTrafficSpec spec{.kind = Kind::kDeterministic, .rate_bit_per_s = kPacketBits};
  EXPECT_EQ(CrossTraffic(spec, kBytes, 7).next(), CrossTraffic(spec, kBytes, 7).next());
  EXPECT_NE(CrossTraffic(spec, kBytes, 7).next(), CrossTraffic(spec, kBytes, 8).next());
}

TEST(CrossTraffic, PoissonPacketsComeAtTheirRateWithExponentialGaps) {
  CrossTraffic traffic({.kind = Kind::kPoisson, .rate_bit_per_s = 5 * kPacketBits}, kBytes, 1);
  constexpr int kPackets = 400'000;
  double squares = 0;
  Picoseconds last = 0;
  for (int i = 0; i < kPackets; ++i) {
    const double gap = seconds(traffic.next() - last);
    squares += gap * gap;
    last = traffic.next();
    traffic.advance();
  }
  // The mean 1/5 s and the mean square 2/25 s^2, each within five standard deviations.
  EXPECT_NEAR(seconds(last) / kPackets, 0.2, 5 * 0.2 / 632);
  EXPECT_NEAR(squares / kPackets, 0.08, 5 * 0.08 * 2.236 / 632);
}

TEST(CrossTraffic, NoneNeverComes) { EXPECT_EQ(CrossTraffic({}, kBytes, 1).next(), kNever); }

TEST(CrossTraffic, EveryArrivalIsCounted) {
  Point point = bulk_point();
  point.cross_traffic = {.kind = Kind::kDeterministic, .rate_bit_per_s = 7 * kPacketBits, .phase = 0.5};
  point.stop = {.duration_s = 100};
  // (k + 1/2) / 7 s <= 100 s holds for k = 0 to 699.
  EXPECT_EQ(simulate(point, 1).packets.cross_arrived, 700);
}

// Case 1 of table 1 (two slow starts a cycle) and case 2 (one), as the paper prints them.
TEST(TahoeCycles, CountTheSlowStartsOfACycle) {
  const auto slow_starts = [](std::int32_t buffer, double exogenous, double before, double after) {
    Point point = bulk_point();
    point.groups[0].access = {.rate_bit_per_s = 300 * kPacketBits, .delay_s = before};
    point.dumbbell().bottleneck = {{.rate_bit_per_s = 170 * kPacketBits, .delay_s = after}, 0, buffer};
    point.return_delay_s = before + after;
    point.groups[0].tcp.rwnd_packets = 1000;
    point.cross_traffic = {.kind = Kind::kDeterministic, .rate_bit_per_s = exogenous * kPacketBits};
    point.probes.loss_cycles = true;
    point.stop.warmup_s = 100;
    point.stop.duration_s = 500;
    for (const Metric& metric : simulate(point, 1).probes.metrics) {
      if (metric.name == "slow_starts_per_cycle") {
        return metric.value;
      }
    }
    return 0.0;
  };
  EXPECT_EQ(slow_starts(5, 10, 0.05, 0.05), 2);
  EXPECT_EQ(slow_starts(15, 40, 0.06, 0.04), 1);
}

}  // namespace
}  // namespace packetsim
