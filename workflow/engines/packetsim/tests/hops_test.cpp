// Several links in a row, and sources that send the other way, against closed forms of windows that never
// change.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "detours.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

constexpr double kService_s = 0.001;  // 1000 B at 8 Mbit/s

class Hops : public testing::TestWithParam<Variant> {};

// A flow over all links, and one beside it on each: no delays, and windows of 100 packets.
Point parking_lot(const Variant& variant, std::int32_t links) {
  Point point = lone_point(variant, 100);
  point.dumbbell().bottleneck.delay_s = point.return_delay_s = 0;
  for (std::int32_t hop = 1; hop < links; ++hop) {
    point.dumbbell().hops.push_back({{.rate_bit_per_s = 8e6, .delay_s = 0}, 1000});
  }
  for (std::int32_t hop = 0; hop < links; ++hop) {
    point.groups.push_back(point.groups[0]);
    point.groups.back().name = "cross-" + std::to_string(hop);
    point.groups.back().first_hop = point.groups.back().last_hop = hop;
  }
  point.groups[0].last_hop = links - 1;
  point.stop = {.duration_s = 200, .warmup_s = 20};
  return point;
}

// A window is under way at all times. Of fixed windows behind FIFO queues each flow's rate is its window over
// the sum of the delays on its way: with n links the long flow gets 1 / (n + 1) of each, proportional
// fairness (Kelly, Maulloo and Tan 1998; Mo and Walrand 2000, section 3).
TEST_P(Hops, FixedWindowsShareInProportion) {
  for (const std::int32_t links : {1, 2, 3, 5}) {
    const Measurements measured = simulate(parking_lot(GetParam(), links), 1);
    const double all = 200 / kService_s;
    EXPECT_NEAR(static_cast<double>(measured.acknowledged[0]) / all, 1.0 / (links + 1), 0.02) << links;
    for (std::int32_t hop = 1; hop <= links; ++hop) {
      EXPECT_NEAR(static_cast<double>(measured.acknowledged[0] +
                                      measured.acknowledged[static_cast<std::size_t>(hop)]),
                  all, 110);
    }
    EXPECT_EQ(measured.counters.packets_dropped, 0);
    expect_conservation(measured.counters);
  }
}

// A window a round trip, which is the sum of all links'.
TEST_P(Hops, ALoneFlowSendsAWindowARoundTrip) {
  Point point = lone_point(GetParam(), 5);
  for (const double delay_s : {0.01, 0.02}) {
    point.dumbbell().hops.push_back({{.rate_bit_per_s = 8e6, .delay_s = delay_s}, 1000});
  }
  point.groups[0].last_hop = 2;
  point.groups[0].workload.file_size.mean_packets = 500;
  point.stop = {.connections = 1, .transfer_packets = 500};
  const double round_trip_s = kRoundTrip_s + 2 * kService_s + 0.03;
  EXPECT_NEAR(seconds(simulate(point, 1).end), 100 * round_trip_s + 4 * kService_s, 1e-6);
}

// The slowest link loses, wherever it is.
TEST_P(Hops, LossesAreTheSlowestLinks) {
  Point point = lone_point(GetParam(), 400);
  point.dumbbell().hops.push_back({{.rate_bit_per_s = 4e6, .delay_s = 0}, 20});
  point.dumbbell().hops.push_back({{.rate_bit_per_s = 8e6, .delay_s = 0}, 20});
  point.groups[0].last_hop = 2;
  const Measurements measured = simulate(point, 1);
  EXPECT_EQ(measured.queue_drops, 0);
  EXPECT_GT(measured.hops[0].queue_drops, 10);
  EXPECT_EQ(measured.hops[0].queue_drops, measured.counters.packets_dropped);
  EXPECT_EQ(measured.hops[1].queue_drops, 0);
  expect_conservation(measured.counters);
}

// What is measured in a time and in the next adds up to what is in both, as each event is in one of them:
// packets between links, acknowledgements on their way to a queue, and traffic that nobody answers.
TEST_P(Hops, EachEventIsMeasuredInItsTime) {
  Point point = parking_lot(GetParam(), 3);
  point.dumbbell().bottleneck.buffer_packets = 150;
  for (kit::Hop& hop : point.dumbbell().hops) {
    hop.buffer_packets = 80;
    hop.delay_s = 0.02;
  }
  point.ack_bytes = 40;
  point.dumbbell().way_back =
      kit::ReturnLink{.rate_bit_per_s = 2e6, .buffer_packets = 60, .loss_probability = 0.01};
  point.groups.push_back(lone_point(GetParam(), 40).groups[0]);
  point.groups.back().name = "up";
  point.groups.back().returns = true;
  point.cross_traffic = {.kind = kit::CrossTrafficSpec::Kind::kPoisson, .rate_bit_per_s = 6e6};
  for (const kit::Queue queue : {kit::Queue::kDropTail, kit::Queue::kFqCodel}) {
    point.dumbbell().bottleneck.queue = queue;
    const auto sums = [&](double from_s, double to_s) {
      point.stop = {.duration_s = to_s - from_s, .warmup_s = from_s};
      const Measurements got = simulate(point, 1);
      const PacketSums& all = got.packets;
      std::int64_t dropped = all.returning_lost - all.cross_dropped + got.queue_drops;
      double packet_time = 0;
      for (const kit::HopMeasurements& hop : got.hops) {
        dropped += hop.queue_drops;
        for (std::size_t level = 0; level < hop.queue_time_at.size(); ++level) {
          packet_time += static_cast<double>(level) * static_cast<double>(hop.queue_time_at[level]);
        }
      }
      EXPECT_TRUE(from_s > 0 || dropped == got.counters.packets_dropped) << dropped;
      std::vector<double> found = {packet_time, all.round_trip_ps, all.ack_delay_ps, all.returning_delay_ps};
      for (const auto count : {dropped, all.carried, all.acknowledged, all.cross_arrived, all.cross_dropped,
                               all.acks, all.acks_lost, all.returning, all.returning_lost, got.measured}) {
        found.push_back(static_cast<double>(count));
      }
      return found;
    };
    for (const double middle_s : {0.07, 2.34}) {
      const std::vector<double> before = sums(0, middle_s), after = sums(middle_s, 5), whole = sums(0, 5);
      for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_NEAR(before[i] + after[i], whole[i], 1e-9 * whole[i]) << i << " at " << middle_s;
        EXPECT_GT(whole[i], 0) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, Hops,
                         testing::Values(Variant{"newreno"}, Variant{"newreno-sack"},
                                         Variant{"cubic", kit::LossDetection::kRackTlp}),
                         [](const auto& test) { return std::to_string(test.index); });

}  // namespace
}  // namespace packetsim
