// Links whose rate steps and token buckets against closed forms, to the picosecond, and every queue before
// them: a constant link in disguise gives the same run.

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "queues/link.hpp"
#include "run/simulate.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr std::int32_t kPacketBytes = 1500;
constexpr Picoseconds kService = 1'200'000'000;  // at 10 Mbit/s

Bottleneck at_10_mbit_per_s() { return {{.rate_bit_per_s = 10e6}}; }

// Of packets that are all there from the beginning.
std::vector<Picoseconds> departures(const Bottleneck& bottleneck, int count) {
  Link link(bottleneck, kPacketBytes);
  std::vector<Picoseconds> times;
  Picoseconds free = 0;
  for (int i = 0; i < count; ++i) {
    times.push_back(free = link.departure(free));
  }
  return times;
}

// A step to half the rate after three and a half packets: the other half takes as long as a whole one did.
TEST(RateSteps, HaveTheOtherBitsOfAPacketSentAtTheNewRate) {
  Bottleneck bottleneck = at_10_mbit_per_s();
  bottleneck.rate_steps = {{.at_s = seconds(3 * kService + kService / 2), .rate_bit_per_s = 5e6}};
  const std::vector<Picoseconds> expected = {kService, 2 * kService, 3 * kService,
                                             3 * kService + kService / 2 + kService,
                                             3 * kService + kService / 2 + kService + 2 * kService};
  EXPECT_EQ(departures(bottleneck, 5), expected);
}

// What is sent in any time is the integral of the rate, as of a fluid: 10 packets at 10 Mbit/s in 12 ms, 10
// at 4 Mbit/s in 30 ms, the others at 20 Mbit/s.
TEST(RateSteps, SendTheIntegralOfTheRate) {
  Bottleneck bottleneck = at_10_mbit_per_s();
  bottleneck.rate_steps = {{.at_s = 0.012, .rate_bit_per_s = 4e6}, {.at_s = 0.042, .rate_bit_per_s = 20e6}};
  const std::vector<Picoseconds> times = departures(bottleneck, 120);
  EXPECT_EQ(times[9], 12 * kMillisecond);
  EXPECT_EQ(times[19], 42 * kMillisecond);
  EXPECT_EQ(times[119], 42 * kMillisecond + 100 * kService / 2);
}

// Many steps within one packet: eight eighths of it at eight rates.
TEST(RateSteps, MayFallIntoOnePacket) {
  Bottleneck bottleneck = at_10_mbit_per_s();
  Picoseconds at = 0;
  for (const double rate : {10e6, 5e6, 20e6, 4e6, 10e6, 2.5e6, 40e6, 8e6}) {
    if (at > 0) {
      bottleneck.rate_steps.push_back({.at_s = seconds(at), .rate_bit_per_s = rate});
    }
    at += transmission_time(kPacketBytes, rate) / 8;
  }
  EXPECT_EQ(departures(bottleneck, 1).front(), at);
}

// Half of the second packet is sent before a second without a rate, and half after it; then there is one in
// every three.
TEST(RateSteps, StandStillAtARateOfZeroAndComeAgain) {
  Bottleneck bottleneck = at_10_mbit_per_s();
  const double half = seconds(3 * kService / 2);
  bottleneck.rate_steps = {{.at_s = half, .rate_bit_per_s = 0}, {.at_s = half + 1, .rate_bit_per_s = 10e6}};
  EXPECT_EQ(departures(bottleneck, 2)[1], 2 * kService + 1000 * kMillisecond);
  bottleneck.rate_steps = {{.at_s = 0, .rate_bit_per_s = 12e6}, {.at_s = 1, .rate_bit_per_s = 0}};
  bottleneck.rate_period_s = 3;
  const std::vector<Picoseconds> times = departures(bottleneck, 3000);
  EXPECT_EQ(times[999], 1000 * kMillisecond);
  EXPECT_EQ(times[1000], 3001 * kMillisecond);
  EXPECT_EQ(times[2999], 7000 * kMillisecond);
}

TEST(RateSteps, OfAnIdleLinkAreThereWhenItBegins) {
  Bottleneck bottleneck = at_10_mbit_per_s();
  bottleneck.rate_steps = {{.at_s = 1, .rate_bit_per_s = 5e6}, {.at_s = 2, .rate_bit_per_s = 20e6}};
  Link link(bottleneck, kPacketBytes);
  EXPECT_EQ(link.departure(0), kService);
  EXPECT_EQ(link.departure(kSecond), kSecond + 2 * kService);
  EXPECT_EQ(link.departure(2 * kSecond), 2 * kSecond + kService / 2);
  EXPECT_EQ(link.service_time(kSecond - 1), kService);
  EXPECT_EQ(link.service_time(kSecond), 2 * kService);
}

// A burst of B bytes lasts B / (C - r) seconds at the link's rate C: packet k of 0, 1, ... begins at k
// services if B + r k / C is at least k + 1 packets. From then on packets leave at the bucket's rate r.
TEST(TokenBucket, SendsABurstAtTheLinksRateAndThenAtItsOwn) {
  constexpr Picoseconds kOwn = 5 * kService;  // at 2 Mbit/s
  Bottleneck bottleneck = at_10_mbit_per_s();
  bottleneck.token_bucket = kit::TokenBucket{.rate_bit_per_s = 2e6, .burst_bytes = 20 * kPacketBytes};
  const std::vector<Picoseconds> times = departures(bottleneck, 200);
  // 20 + k / 5 >= k + 1: up to k = 23, 24 packets in 28.8 ms. The fluid's burst ends after 30 ms.
  for (int k = 0; k < 24; ++k) {
    EXPECT_EQ(times[static_cast<std::size_t>(k)], (k + 1) * kService) << k;
  }
  // The tokens of packet k are there when k + 1 - 20 packets' have come.
  for (int k = 24; k < 200; ++k) {
    EXPECT_EQ(times[static_cast<std::size_t>(k)], (k - 19) * kOwn + kService) << k;
  }
}

// After a pause there are as many tokens as the bucket holds, and no more.
TEST(TokenBucket, FillsUpToTheBurst) {
  Bottleneck bottleneck = at_10_mbit_per_s();
  bottleneck.token_bucket = kit::TokenBucket{.rate_bit_per_s = 2e6, .burst_bytes = 2 * kPacketBytes};
  Link link(bottleneck, kPacketBytes);
  for (const Picoseconds start : {Picoseconds{0}, 10 * kSecond}) {
    EXPECT_EQ(link.departure(start), start + kService);
    EXPECT_EQ(link.departure(start + kService), start + 2 * kService);
    EXPECT_EQ(link.departure(start + 2 * kService), start + 5 * kService + kService);
  }
}

constexpr kit::Queue kQueues[] = {kit::Queue::kDropTail,   kit::Queue::kFairIndividual,
                                  kit::Queue::kFairShared, kit::Queue::kCodel,
                                  kit::Queue::kFqCodel,    kit::Queue::kPie,
                                  kit::Queue::kRed,        kit::Queue::kStep};

Point point_with(kit::Queue queue) {
  Point point = table_6_point(60, queue == kit::Queue::kFairIndividual ? 5 : 30);
  point.dumbbell().bottleneck.queue = queue;
  point.groups[0].tcp.variant = "cubic";
  point.groups[0].workload.off_time.mean_s = 0.3;
  point.stop = {.duration_s = 60, .warmup_s = 5};
  return point;
}

// Steps that change nothing, and a bucket that is never empty: the same metrics.
TEST(VaryingLink, IsAConstantOneIfNothingVaries) {
  for (const kit::Queue queue : kQueues) {
    Point point = point_with(queue);
    const Json constant = run_json(point, 7, simulate(point, 7), kEngine)["metrics"];
    Bottleneck& bottleneck = point.dumbbell().bottleneck;
    bottleneck.rate_steps = {{.at_s = 7, .rate_bit_per_s = 10e6}, {.at_s = 31.00003, .rate_bit_per_s = 10e6}};
    bottleneck.token_bucket = kit::TokenBucket{.rate_bit_per_s = 20e6, .burst_bytes = kPacketBytes};
    const Json varying = run_json(point, 7, simulate(point, 7), kEngine)["metrics"];
    for (const auto& [name, metric] : constant.items()) {
      EXPECT_EQ(varying[name], metric) << name << " behind queue " << static_cast<int>(queue);
    }
  }
}

// A bulk flow with a window that fills any queue gets the integral of the rate, or the bucket's rate: the
// link is never idle. Acknowledgements are back 150 ms after a packet has left it, so that of the 60 s 20.15
// have 100 packets/s, 20 have 50 and 19.85 have 200.
TEST(VaryingLink, AlwaysBusyCarriesTheIntegralOfItsRate) {
  Point point = bulk_point();
  point.groups[0].tcp.variant = "newreno-sack";
  point.groups[0].tcp.rwnd_packets = 100;
  Bottleneck& bottleneck = point.dumbbell().bottleneck;
  bottleneck.buffer_packets = 100;
  point.stop = {.duration_s = 60, .warmup_s = 20};
  constexpr double kBits = 4608;
  bottleneck.rate_steps = {{.at_s = 40, .rate_bit_per_s = 50 * kBits},
                           {.at_s = 60, .rate_bit_per_s = 200 * kBits}};
  EXPECT_NEAR(static_cast<double>(simulate(point, 1).packets.acknowledged), 2015 + 1000 + 3970, 1);
  bottleneck.rate_steps.clear();
  bottleneck.token_bucket = kit::TokenBucket{.rate_bit_per_s = 40 * kBits, .burst_bytes = 5760};
  EXPECT_NEAR(static_cast<double>(simulate(point, 1).packets.acknowledged), 60 * 40, 1);
}

}  // namespace
}  // namespace packetsim
