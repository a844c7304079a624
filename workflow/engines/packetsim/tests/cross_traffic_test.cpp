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

// Three packets a second, none from 10 s on, two from 20 s on: the integral of the rate is 30 until 20 s.
TEST(CrossTraffic, StepsCarryThePhaseOn) {
  CrossTraffic traffic({.kind = Kind::kDeterministic,
                        .rate_bit_per_s = 3 * kPacketBits,
                        .phase = 0.25,
                        .rate_steps = {{10, 0}, {20, 2 * kPacketBits}, {30, 0}}},
                       kBytes, 1);
  for (int k = 0; k < 50; ++k, traffic.advance()) {
    const double at = k < 30 ? (k + 0.25) / 3 : 20 + (k + 0.25 - 30) / 2;
    ASSERT_NEAR(seconds(traffic.next()), at, 1e-11);
  }
  EXPECT_EQ(traffic.next(), kNever);
}

TEST(CrossTraffic, PoissonPacketsFollowTheStepsOfTheRate) {
  CrossTraffic traffic(
      {.kind = Kind::kPoisson, .rate_bit_per_s = 0, .rate_steps = {{100, 50 * kPacketBits}, {300, 0}}},
      kBytes, 1);
  int packets = 0;
  for (; traffic.next() != kNever; traffic.advance(), ++packets) {
    ASSERT_GT(seconds(traffic.next()), 100);
    ASSERT_LT(seconds(traffic.next()), 300);
  }
  EXPECT_NEAR(packets, 200 * 50, 5 * 100);
}

TEST(CrossTraffic, NoneNeverComes) { EXPECT_EQ(CrossTraffic({}, kBytes, 1).next(), kNever); }

TEST(CrossTraffic, EveryArrivalIsCounted) {
  Point point = bulk_point();
  point.cross_traffic = {.kind = Kind::kDeterministic, .rate_bit_per_s = 7 * kPacketBits, .phase = 0.5};
  point.stop = {.duration_s = 100};
  // (k + 1/2) / 7 s <= 100 s holds for k = 0 to 699.
  EXPECT_EQ(simulate(point, 1).packets.cross_arrived, 700);
}

// A source that has not come yet beside cross traffic through 100 packets/s.
Point overloaded(kit::Queue queue, double packets_per_s) {
  Point point = bulk_point();
  point.dumbbell().bottleneck.queue = queue;
  point.groups[0].workload.start_s = 1e5;
  point.groups[0].tcp.variant = "cubic";
  point.groups[0].tcp.clock_tick_s = 0;
  point.cross_traffic = {
      .kind = Kind::kDeterministic, .rate_bit_per_s = packets_per_s * kPacketBits, .phase = 0.5};
  point.stop = {.duration_s = 1000, .warmup_s = 100};
  return point;
}

class CrossTrafficBehind : public testing::TestWithParam<kit::Queue> {};

INSTANTIATE_TEST_SUITE_P(Queues, CrossTrafficBehind,
                         testing::Values(kit::Queue::kDropTail, kit::Queue::kFairIndividual,
                                         kit::Queue::kFairShared, kit::Queue::kCodel, kit::Queue::kFqCodel,
                                         kit::Queue::kPie, kit::Queue::kRed, kit::Queue::kStep));

// One packet at a time stays or goes: with a buffer of n packets, Poisson arrivals and constant services the
// queue is M/D/1/n; for n = 1 the share of packets lost is rho / (1 + rho), whatever the services are.
TEST(CrossTraffic, PoissonPacketsAreLostAsErlangSays) {
  Point point = overloaded(kit::Queue::kDropTail, 150);
  point.cross_traffic.kind = Kind::kPoisson;
  point.cross_traffic.phase.reset();
  point.dumbbell().bottleneck.buffer_packets = 1;
  point.stop.duration_s = 10'000;
  const PacketSums sums = simulate(point, 1).packets;
  EXPECT_NEAR(static_cast<double>(sums.cross_dropped) / static_cast<double>(sums.cross_arrived), 0.6, 0.003);
  EXPECT_NEAR(sums.cross_delay_ps / static_cast<double>(sums.cross_arrived - sums.cross_dropped), 0.01 * 1e12,
              1e4);
}

// Beside 25 of 100 packets a second, with a turn for every flow or a queue that never fills, a lone source
// with a window beyond the path's gets 75.
TEST_P(CrossTrafficBehind, ALoneSourceGetsWhatItLeaves) {
  Point point = overloaded(GetParam(), 25);
  point.dumbbell().bottleneck.buffer_packets = 1000;
  point.groups[0].workload.start_s = 0;
  point.groups[0].tcp.rwnd_packets = 60;
  point.groups[0].tcp.variant = "newreno-sack";
  const Measurements measured = simulate(point, 1);
  const double both = static_cast<double>(measured.packets.carried) / 1000 + 25;
  EXPECT_NEAR(both, 100, GetParam() == kit::Queue::kDropTail ? 0.1 : 12);
  const Counters& counters = measured.counters;
  EXPECT_EQ(counters.packets_sent, counters.packets_delivered + counters.packets_dropped +
                                       counters.packets_lost + counters.packets_in_flight);
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
