// The bottleneck queue against hand-worked sequences and Zaragoza's exact sums of section 4.4.

#include <gtest/gtest.h>

#include <cmath>

#include "kit/tests/points.hpp"
#include "queues/drop_tail_queue.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

TEST(DropTailQueue, WorksAsByHand) {
  DropTailQueue queue(2, 10);
  EXPECT_EQ(queue.arrive(5), 15);       // finds 0
  EXPECT_EQ(queue.arrive(5), 25);       // finds 1
  EXPECT_EQ(queue.arrive(14), kNever);  // finds 2: full, the packet in service counted
  EXPECT_EQ(queue.arrive(15), 35);      // the departure at 15 comes first: finds 1
  EXPECT_EQ(queue.arrive(100), 110);    // long empty: finds 0
  queue.close_monitor(105);
  // 0 packets: 0-5, 35-100; 1: 25-35, 100-105; 2: 5-15, 15-25.
  EXPECT_EQ(queue.time_at(), (std::vector<Picoseconds>{70, 15, 20}));
  EXPECT_EQ(queue.arrivals_at(), (std::vector<std::int64_t>{2, 2, 1}));
}

// Whole services at both ends of what a link may take for a packet, and a picosecond to either side of one.
TEST(DropTailQueue, CountsServicesOfAnyLength) {
  for (const Picoseconds service :
       {8LL, 9LL, 1'000'003LL, 1LL << 40, (1LL << 40) + 1, 524'280'000'000'000'000LL}) {
    DropTailQueue queue(4, service);
    for (const Picoseconds departures : {1, 2, 3}) {
      EXPECT_EQ(queue.arrive(0), departures * service);
    }
    EXPECT_EQ(queue.arrive(service - 1), 4 * service);  // finds 3
    EXPECT_EQ(queue.arrive(service), 5 * service);      // the departure comes first: finds 3
    EXPECT_EQ(queue.arrive(service + 1), kNever);       // finds 4
    EXPECT_EQ(queue.arrivals_at(), (std::vector<std::int64_t>{1, 1, 1, 2, 1}));
  }
}

// A buffer of 2, 10 to send a packet: the first of two packets departs at 10, at which instant two more
// arrive.
struct Tie {
  Bottleneck::Ties rule;
  Picoseconds third;   // when the first of these has left
  Picoseconds fourth;  // and the second
  std::vector<std::int64_t> found;
};

class DropTailQueueTie : public testing::TestWithParam<Tie> {};

TEST_P(DropTailQueueTie, IsDecidedByTheRule) {
  DropTailQueue queue(2, 10, TieRule(GetParam().rule, 1));
  EXPECT_EQ(queue.arrive(0), 10);
  EXPECT_EQ(queue.arrive(0), 20);
  EXPECT_EQ(queue.arrive(10), GetParam().third);
  EXPECT_EQ(queue.arrive(10), GetParam().fourth);
  EXPECT_EQ(queue.arrive(31), 41);  // by then it is empty, whatever the rule
  EXPECT_EQ(queue.arrivals_at(), GetParam().found);
}

// The departure leaves room for one of them, or for none.
INSTANTIATE_TEST_SUITE_P(ByHand, DropTailQueueTie,
                         testing::Values(Tie{Bottleneck::Ties::kDepartureFirst, 30, kNever, {2, 2, 1}},
                                         Tie{Bottleneck::Ties::kArrivalFirst, kNever, kNever, {2, 1, 2}}));

// With two arrivals at the instant of the departure, a fair coin for each of them lets none in once in four
// times (both come before the departure), else exactly one.
TEST(DropTailQueue, AFairCoinDecidesRandomTies) {
  constexpr int kTrials = 4000;
  int both_dropped = 0;
  int second_let_in = 0;
  DropTailQueue queue(2, 10, TieRule(Bottleneck::Ties::kRandom, 1));
  for (int trial = 0; trial < kTrials; ++trial) {
    const Picoseconds start = 100 * trial;
    queue.arrive(start);
    queue.arrive(start);
    const bool third = queue.arrive(start + 10) != kNever;
    const bool fourth = queue.arrive(start + 10) != kNever;
    EXPECT_FALSE(third && fourth);
    both_dropped += !third && !fourth;
    second_let_in += fourth;
  }
  // Four standard errors of a binomial share of a quarter.
  const double tolerance = 4 * std::sqrt(0.25 * 0.75 * kTrials);
  EXPECT_NEAR(both_dropped, kTrials / 4, tolerance);
  EXPECT_NEAR(second_let_in, kTrials / 4, tolerance);
}

// An isolated connection starts with two packets; both acknowledgements release two. RTT_0 is 12 times the
// time to send a packet, so the second pair reaches the bottleneck when the first packet of the first pair
// departs.
TEST(DropTailQueue, ATieInSlowStartIsDecidedByTheRule) {
  const auto drops = [](Bottleneck::Ties rule) {
    Point point = isolated_point(table_6_point(1, 2), 6);
    point.groups[0].access.rate_bit_per_s = 1e20;  // no transmission time at all
    point.dumbbell().egress.rate_bit_per_s = 1e20;
    point.dumbbell().bottleneck.delay_s = 0.0066;
    point.return_delay_s = 0.0066;
    point.dumbbell().bottleneck.ties = rule;
    point.stop = {.connections = 1};
    return simulate(point, 1).queue_drops;
  };
  EXPECT_EQ(drops(Bottleneck::Ties::kDepartureFirst), 1);  // the first of the pair takes the place left
  EXPECT_EQ(drops(Bottleneck::Ties::kArrivalFirst), 2);    // the whole pair finds the buffer full
}

// With an ample buffer an arrival departs at the same time whether it finds the departing packet or not.
TEST(DropTailQueue, WithoutDropsTheTieRuleChangesOnlyWhatArrivalsFind) {
  const auto measured = [](Bottleneck::Ties rule) {
    Point point = table_6_point(134, 2000);
    point.dumbbell().egress.rate_bit_per_s =
        1e9;  // acknowledgements come back as far apart as packets leave the queue
    point.dumbbell().bottleneck.ties = rule;
    point.stop = {.connections = 2000};
    return simulate(point, 1);
  };
  const Measurements departure_first = measured(Bottleneck::Ties::kDepartureFirst);
  for (const auto rule : {Bottleneck::Ties::kArrivalFirst, Bottleneck::Ties::kRandom}) {
    const Measurements other = measured(rule);
    EXPECT_EQ(other.end, departure_first.end);
    EXPECT_EQ(other.connections.duration, departure_first.connections.duration);
    EXPECT_EQ(other.queue_time_at, departure_first.queue_time_at);
    EXPECT_NE(other.queue_arrivals_at, departure_first.queue_arrivals_at);
  }
}

TEST(DropTailQueue, ARestartedMonitorKeepsTheQueue) {
  DropTailQueue queue(5, 10);
  queue.arrive(0);
  queue.arrive(0);
  queue.restart_monitor(15);
  EXPECT_EQ(queue.arrive(16), 30);
  queue.close_monitor(20);
  EXPECT_EQ(queue.time_at(), (std::vector<Picoseconds>{0, 1, 4, 0, 0, 0}));
  EXPECT_EQ(queue.arrivals_at(), (std::vector<std::int64_t>{0, 1, 0, 0, 0, 0}));
}

// Section 4.4, case 1: a round with v window increases holds v (v + 2) packet transmission times of queue;
// the pairs of slow start arrive together. F 6, 14, 30 and 62 fill 2, 3, 4 and 5 rounds, with v = 1, 2, 4, 8,
// 16 in them.
TEST(QueueMonitor, SlowStartFillsTheQueueAsInSection44) {
  const std::int64_t file[] = {6, 14, 30, 62};
  const std::int64_t transmissions[] = {3 + 8, 3 + 8 + 24, 3 + 8 + 24 + 80, 3 + 8 + 24 + 80 + 288};
  for (int i = 0; i < 4; ++i) {
    Point point = isolated_point(table_6_point(1, 1000), static_cast<std::int32_t>(file[i]));
    point.groups[0].access.rate_bit_per_s = 1e20;  // no transmission time at all
    point.dumbbell().egress.rate_bit_per_s = 1e9;
    point.dumbbell().bottleneck.delay_s = 0.1;
    point.stop = {.connections = 1};
    Picoseconds integral = 0;
    const Measurements measured = simulate(point, 1);
    for (std::size_t level = 0; level < measured.queue_time_at.size(); ++level) {
      integral += static_cast<Picoseconds>(level) * measured.queue_time_at[level];
    }
    EXPECT_EQ(integral, transmissions[i] * transmission_time(1500, 10e6)) << "file " << file[i];
  }
}

}  // namespace
}  // namespace packetsim
