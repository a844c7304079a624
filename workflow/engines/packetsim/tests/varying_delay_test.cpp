// Delays that vary, against closed forms; what is reordered, and what senders make of it.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "detours.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

std::int64_t sent_again(const Measurements& measured, std::int32_t window) {
  return measured.counters.packets_sent - measured.packets.acknowledged - window;
}

class VaryingDelay : public testing::TestWithParam<Variant> {};

// 100 windows of 0.1 s, 50 of 0.2 s, and 100 of 0.1 s again.
TEST_P(VaryingDelay, StepsChangeTheRoundTrip) {
  Point point = lone_point(GetParam(), 20);
  point.groups[0].tcp.delayed_ack.reset();
  point.dumbbell().bottleneck.delay_steps = {{10, 0.1}, {20, 0}};
  point.stop.duration_s = 29.95;
  EXPECT_EQ(simulate(point, 1).counters.packets_sent, 250 * 20);
}

// Delays fall by 0.3 s while packets are under way, and vary by much more than the 1 ms between packets.
TEST_P(VaryingDelay, PacketsStayInOrder) {
  Point point = lone_point(GetParam(), 90);
  kit::Bottleneck& link = point.dumbbell().bottleneck;
  link.delay_steps = {{5, 0.3}, {10, 0}, {15, 0.2}, {20, 0.1}};
  link.jitter = kit::Jitter{.normal = true, .standard_deviation_s = 0.01};
  const Measurements measured = simulate(point, 1);
  // Where the path gets longer by more than a round trip, a probe of its tail is sent (RFC 8985, section 7).
  EXPECT_LE(sent_again(measured, 90), GetParam().loss_detection ? 3 : 0);
  EXPECT_GT(measured.packets.acknowledged, 90 * 200);
  expect_conservation(measured.counters);
}

// A window of one packet: nothing is overtaken, and delays are independent.
TEST_P(VaryingDelay, JitterHasItsMeanAndDeviation) {
  for (const bool normal : {false, true}) {
    Point point = lone_point(GetParam(), 1);
    point.groups[0].tcp.delayed_ack.reset();
    point.dumbbell().bottleneck.jitter = kit::Jitter{.normal = normal, .standard_deviation_s = 0.01};
    point.stop.duration_s = 10'000;
    const Measurements measured = simulate(point, 1);
    const auto packets = static_cast<double>(measured.packets.carried);
    EXPECT_NEAR(measured.packets.round_trip_ps / 1e12 / packets, kRoundTrip_s, 5 * 0.01 / std::sqrt(packets));
    EXPECT_NEAR(packets, 10'000 / kRoundTrip_s, 5 * std::sqrt(10'000 / kRoundTrip_s) * 0.1 + 1);
  }
}

// Delays of a list come as often as they are there: a packet's adds 12 ms in the mean, with a deviation of
// 9.8 ms.
TEST_P(VaryingDelay, DelaysOfAListAreDrawn) {
  Point point = lone_point(GetParam(), 1);
  point.groups[0].tcp.delayed_ack.reset();
  point.dumbbell().bottleneck.jitter = kit::Jitter{.delays_s = {0.01, 0, 0.03, 0.01, 0.01}};
  point.stop.duration_s = 10'000;
  const Measurements measured = simulate(point, 1);
  const auto packets = static_cast<double>(measured.packets.carried);
  EXPECT_NEAR(measured.packets.round_trip_ps / 1e12 / packets, kRoundTrip_s + 0.012,
              5 * 0.0098 / std::sqrt(packets));
}

// A share of the packets is later by so much.
TEST_P(VaryingDelay, ReorderingHasItsMean) {
  Point point = lone_point(GetParam(), 1);
  point.groups[0].tcp.delayed_ack.reset();
  point.dumbbell().bottleneck.reordering = kit::Reordering{.share = 0.3, .delay_s = 0.02};
  point.stop.duration_s = 10'000;
  const Measurements measured = simulate(point, 1);
  const auto packets = static_cast<double>(measured.packets.carried);
  EXPECT_NEAR(measured.packets.round_trip_ps / 1e12 / packets, kRoundTrip_s + 0.3 * 0.02,
              5 * 0.02 * std::sqrt(0.21 / packets));
}

// Two packets overtake it: a duplicate acknowledgement too few for all, and every window is sent in time.
TEST_P(VaryingDelay, TwoThatOvertakeAreNoLoss) {
  Point point = lone_point(GetParam(), 60);
  point.dumbbell().bottleneck.reordering = kit::Reordering{.share = 0.02, .delay_s = 0.0025};
  const Measurements measured = simulate(point, 1);
  EXPECT_LE(sent_again(measured, 60), 0);
  EXPECT_GT(measured.packets.acknowledged, 60 * 950);
  expect_conservation(measured.counters);
}

// Files end, whichever packet comes last, and are no longer or shorter for it.
TEST_P(VaryingDelay, FilesEnd) {
  Point point = lone_point(GetParam(), 30);
  point.groups[0].count = 7;
  point.groups[0].workload = {
      .file_size = {.distribution = FileSize::Distribution::kExponential,
                    .mean_packets = 20,
                    .minimum_packets = 1},
      .off_time = {.distribution = OffTime::Distribution::kExponential, .mean_s = 0.1}};
  kit::Bottleneck& link = point.dumbbell().bottleneck;
  link.reordering = kit::Reordering{.share = 0.3, .delay_s = 0.015};
  link.jitter = kit::Jitter{.normal = false, .standard_deviation_s = 0.003, .reorders = true};
  link.loss_probability = 0.01;
  for (const std::int32_t buffer : {5, 1000}) {
    link.buffer_packets = buffer;
    for (const kit::Queue queue : {kit::Queue::kDropTail, kit::Queue::kFqCodel}) {
      link.queue = queue;
      point.stop = {.connections = 3000, .warmup_connections = 100};
      const Measurements measured = simulate(point, 1);
      EXPECT_EQ(measured.counters.connections_completed, 3100);
      EXPECT_EQ(measured.connections.connections, 3000);
      EXPECT_NEAR(static_cast<double>(measured.connections.packets) / 3000, 20, 5 * 19 / std::sqrt(3000));
      expect_conservation(measured.counters);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, VaryingDelay,
                         testing::Values(Variant{"newreno"}, Variant{"newreno-sack"}, Variant{"cubic"},
                                         Variant{"newreno-sack", kit::LossDetection::kRackTlp},
                                         Variant{"cubic", kit::LossDetection::kRackTlp, true},
                                         Variant{"newreno-sack", std::nullopt, true}));

// Three that overtake are three duplicate acknowledgements, and each time a packet is sent again in vain.
// RACK sees that packets are reordered, and waits for a quarter of the shortest round trip, 25 ms.
TEST(Reordering, IsALossForThreeDuplicatesAndNoneForRack) {
  const auto again = [](const Variant& variant) {
    Point point = lone_point(variant, 60);
    point.dumbbell().bottleneck.reordering = kit::Reordering{.share = 0.002, .delay_s = 0.0055};
    point.dumbbell().bottleneck.jitter =
        kit::Jitter{.normal = false, .standard_deviation_s = 0.0006, .reorders = true};
    point.stop.duration_s = 1000;
    const Measurements measured = simulate(point, 1);
    return static_cast<double>(sent_again(measured, 60)) / static_cast<double>(measured.packets.carried);
  };
  EXPECT_GT(again({"newreno-sack"}), 0.001);
  EXPECT_GT(again({"newreno"}), 0.001);
  EXPECT_LT(again({"newreno-sack", kit::LossDetection::kRackTlp}), 0.00003);
}

}  // namespace
}  // namespace packetsim
