// What BBR estimates from acknowledgements: the delivery rate, its largest value, and the excess of
// aggregated ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "tcp/ack_aggregation.hpp"
#include "tcp/delivery_rate.hpp"
#include "tcp/long_term_rate.hpp"
#include "tcp/windowed_max.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

TEST(WindowedMax, IsTheLargestOfTheLastRounds) {
  std::mt19937 random(5);
  WindowedMax<10> filter;
  std::vector<std::pair<std::int64_t, double>> all;
  std::int64_t round = 0;
  for (int step = 0; step < 20'000; ++step) {
    round += random() % 4 == 0 ? static_cast<std::int64_t>(random() % 14) : 0;
    all.emplace_back(round, random() % 1000);
    filter.update(all.back().second, round);
    double largest = 0;
    for (std::size_t i = all.size(); i-- > 0 && all[i].first > round - 10;) {
      largest = std::max(largest, all[i].second);
    }
    ASSERT_EQ(filter.value(), largest) << step;
  }
}

// Version 02, section 4.5.5, at a packet a millisecond: in excess are all packets that an acknowledgement is
// of, if they come no faster than the path delivers; what comes early adds up; none are more than the window,
// and ten rounds forget.
TEST(AckAggregation, IsTheExcessOverWhatThePathDelivers) {
  constexpr double kRate = 1.0 / kMillisecond;
  AckAggregation single;
  AckAggregation fours;
  AckAggregation early;
  for (Picoseconds ms = 1; ms <= 100; ++ms) {
    single.on_ack(ms * kMillisecond, 1, kRate, 50, 0);
    if (ms % 4 == 0) {
      fours.on_ack(ms * kMillisecond, 4, kRate, 50, 0);
    }
  }
  EXPECT_EQ(single.extra(), 1);
  EXPECT_EQ(fours.extra(), 4);
  for (int i = 0; i < 10; ++i) {  // three packets every 2 ms: 3, 6 - 2, 9 - 4, ... 30 - 18
    early.on_ack((1000 + 2 * i) * kMillisecond, 3, kRate, 50, i);
  }
  EXPECT_EQ(early.extra(), 12);
  early.on_ack(1020 * kMillisecond, 30, kRate, 20, 9);
  EXPECT_EQ(early.extra(), 20);
  early.on_ack(2000 * kMillisecond, 2, kRate, 50, 19);
  EXPECT_EQ(early.extra(), 2);
}

// Three packets at 0, 1 and 2 ms, acknowledged at 10, 14 and 18 ms; a fourth, sent with the first
// acknowledgement, at 22 ms. Its flight begins with that acknowledgement, and 3 packets are delivered in the
// 12 ms from there; the packets that they are of were sent within 10 ms of one another.
// One acknowledgement a round trip of 100 ms.
class Policed {
 public:
  bool round(int delivered, int lost, bool app_limited = false) {
    count_ = {.now = count_.now + 100 * kMillisecond,
              .delivered = count_.delivered + delivered,
              .lost = count_.lost + lost};
    return estimate.on_ack(
        count_, {.loses = lost > 0, .round_starts = true, .app_limited = app_limited, .probes = true});
  }

  // Rounds until a rate is in use; at most 100.
  int rounds_until_in_use(int delivered, int lost) {
    int rounds = 0;
    while (estimate.rate() == 0 && rounds < 100) {
      round(delivered, lost);
      ++rounds;
    }
    return rounds;
  }

  LongTermRate estimate;

 private:
  LongTermRate::Count count_;
};

// The round of the first loss, which begins an interval, counts in it.
TEST(LongTermRate, IsThatOfTwoIntervalsAlikeFor48Rounds) {
  Policed path;
  EXPECT_EQ(path.rounds_until_in_use(75, 25), 8);
  EXPECT_DOUBLE_EQ(path.estimate.rate(), 75. / (100. * kMillisecond));
  for (int round = 1; round < 48; ++round) {
    EXPECT_FALSE(path.round(75, 0));
  }
  EXPECT_TRUE(path.round(75, 0));
  EXPECT_EQ(path.estimate.rate(), 0);
}

TEST(LongTermRate, NeedsAFifthOfLosses) {
  EXPECT_EQ(Policed().rounds_until_in_use(256, 49), 100);
  EXPECT_EQ(Policed().rounds_until_in_use(256, 50), 8);
}

TEST(LongTermRate, NeedsRatesThatDifferByAnEighthAtMost) {
  Policed path;
  for (int round = 0; round < 4; ++round) {
    path.round(80, 20);
  }
  EXPECT_EQ(path.rounds_until_in_use(91, 25), 8);
  EXPECT_NEAR(path.estimate.rate() * 100 * kMillisecond, 91, 1e-9);
}

TEST(LongTermRate, BeginsAnewWhereThereIsNothingToSendAndAfter16Rounds) {
  Policed pauses;
  for (int round = 0; round < 7; ++round) {
    pauses.round(75, 25);
  }
  pauses.round(75, 25, true);
  EXPECT_EQ(pauses.rounds_until_in_use(75, 25), 8);
  Policed calms;
  for (int round = 0; round < 7; ++round) {
    calms.round(75, 25);
  }
  for (int round = 0; round < 17; ++round) {
    calms.round(100, 0);
  }
  EXPECT_EQ(calms.rounds_until_in_use(75, 25), 8);
}

TEST(DeliveryRate, IsThatOfTheFlight) {
  DeliveryRate rate;
  const auto at = [](std::int64_t ms) { return ms * kMillisecond; };
  const DeliveryRate::Snapshot first = rate.sent(at(0), true);
  const DeliveryRate::Snapshot second = rate.sent(at(1), false);
  const DeliveryRate::Snapshot third = rate.sent(at(2), false);
  rate.arrived(first);
  EXPECT_DOUBLE_EQ(rate.on_ack(at(10)).packets_per_ps * kSecond, 100);  // one in 10 ms
  const DeliveryRate::Snapshot fourth = rate.sent(at(10), false);
  rate.arrived(second);
  EXPECT_DOUBLE_EQ(rate.on_ack(at(14)).packets_per_ps * kSecond, 2 / 0.014);
  rate.limited_by_application(2);
  const DeliveryRate::Snapshot limited = rate.sent(at(14), false);
  rate.arrived(third);
  EXPECT_DOUBLE_EQ(rate.on_ack(at(18)).packets_per_ps * kSecond, 3 / 0.018);
  rate.arrived(fourth);
  const RateSample sample = rate.on_ack(at(22));
  EXPECT_DOUBLE_EQ(sample.packets_per_ps * kSecond, 3 / 0.012);
  EXPECT_EQ(sample.prior_delivered, 1);
  EXPECT_FALSE(sample.app_limited);
  rate.arrived(limited);
  EXPECT_TRUE(rate.on_ack(at(26)).app_limited);
  EXPECT_FALSE(rate.sent(at(26), false).app_limited);  // all that was in flight then has been delivered
  EXPECT_EQ(rate.on_ack(at(27)).packets_per_ps, 0);    // nothing new
}

// The sending of packets back to back does not count as their delivery (section 3.3: the larger interval).
TEST(DeliveryRate, IsNoHigherThanTheRateOfSending) {
  DeliveryRate rate;
  std::vector<DeliveryRate::Snapshot> sent;
  for (int i = 0; i < 11; ++i) {
    sent.push_back(rate.sent(i * 10 * kMillisecond, i == 0));
  }
  rate.arrived(sent[0]);
  rate.on_ack(200 * kMillisecond);
  for (int i = 1; i <= 10; ++i) {  // all at once
    rate.arrived(sent[static_cast<std::size_t>(i)]);
  }
  // Eleven packets since the first was sent, 200 ms before and 100 ms long in sending.
  EXPECT_DOUBLE_EQ(rate.on_ack(200 * kMillisecond).packets_per_ps * kSecond, 11 / 0.2);
}

}  // namespace
}  // namespace packetsim
