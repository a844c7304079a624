// Several links in a row, and sources that send the other way, against closed forms of windows that never
// change.

#include <gtest/gtest.h>

#include <string>

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
  const Measurements whole = simulate(point, 1);
  point.stop.duration_s /= 2;
  const Measurements half = simulate(point, 1);
  EXPECT_EQ(whole.queue_drops, 0);
  EXPECT_GT(half.hops[0].queue_drops, 10);
  EXPECT_EQ(whole.hops[1].queue_drops, 0);
  // At a warm-up's end packets between links are ahead of the senders' time, until the next sender's event:
  // the first 0.1 s here. The difference of two runs is free of it.
  EXPECT_EQ(whole.hops[0].queue_drops - half.hops[0].queue_drops,
            whole.counters.packets_dropped - half.counters.packets_dropped);
  expect_conservation(whole.counters);
}

INSTANTIATE_TEST_SUITE_P(Variants, Hops,
                         testing::Values(Variant{"newreno"}, Variant{"newreno-sack"},
                                         Variant{"cubic", kit::LossDetection::kRackTlp}),
                         [](const auto& test) { return std::to_string(test.index); });

}  // namespace
}  // namespace packetsim
