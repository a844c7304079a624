// A way back that queues, against closed forms: acknowledgements that fill it, and those that are lost there.
// path_script_test.cpp has uploads beside downloads.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "detours.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

// 1000 packets/s there, 250 acknowledgements/s back, 0.1 s for a packet and its acknowledgement.
Point asymmetric_point(const Variant& variant, std::int32_t window, std::int32_t buffer) {
  Point point = lone_point(variant, window);
  point.ack_bytes = 40;
  point.dumbbell().way_back = kit::ReturnLink{.rate_bit_per_s = 80e3, .buffer_packets = buffer};
  point.return_delay_s -= 0.004;
  point.stop = {.duration_s = 100, .warmup_s = 10};
  return point;
}

double packets_per_ack(const Variant& variant) { return variant.delays_acks ? 2 : 1; }

class WayBack : public testing::TestWithParam<Variant> {};

// Goodput is what the way back carries, times the packets of an acknowledgement, and a window is under way at
// all times (Little's law).
TEST_P(WayBack, ALoneSourceIsAsFastAsItsAcknowledgements) {
  const Measurements measured = simulate(asymmetric_point(GetParam(), 200, 1000), 1);
  const PacketSums& packets = measured.packets;
  const double rate = 250 * packets_per_ack(GetParam());
  EXPECT_NEAR(static_cast<double>(packets.acknowledged), 100 * rate, 2);
  EXPECT_EQ(packets.acks_lost, 0);
  EXPECT_NEAR(packets.round_trip_ps / 1e12 / static_cast<double>(packets.carried), 200 / rate, 0.005);
  expect_conservation(measured.counters);
}

// An acknowledgement that finds no room is told by the next: three of four are dropped, and nothing is slower
// or sent again for it.
TEST_P(WayBack, AShortBufferThinsAcknowledgementsOut) {
  const Measurements measured = simulate(asymmetric_point(GetParam(), 400, 1), 1);
  const PacketSums& packets = measured.packets;
  EXPECT_NEAR(static_cast<double>(packets.acknowledged), 100'000, 500);
  const double acks_per_s = 1000 / packets_per_ack(GetParam());
  EXPECT_NEAR(static_cast<double>(packets.acks_lost) / static_cast<double>(packets.acks),
              1 - 250 / acks_per_s, 0.02);
  expect_conservation(measured.counters);
}

// Three of ten are lost at random, and none of the packets.
TEST_P(WayBack, LostAcknowledgementsAreNoLostPackets) {
  Point point = asymmetric_point(GetParam(), 60, 1000);
  point.dumbbell().way_back =
      kit::ReturnLink{.rate_bit_per_s = 8e6, .buffer_packets = 100, .loss_probability = 0.3};
  point.stop = {.duration_s = 100};
  const Measurements measured = simulate(point, 1);
  EXPECT_LE(measured.counters.packets_sent - measured.packets.acknowledged, 60);
  const auto acks = static_cast<double>(measured.packets.acks);
  EXPECT_NEAR(static_cast<double>(measured.packets.acks_lost) / acks, 0.3, 5 * std::sqrt(0.21 / acks));
  expect_conservation(measured.counters);
}

// Two groups share it, and files end whatever is lost where.
TEST_P(WayBack, FilesEnd) {
  Point point = asymmetric_point(GetParam(), 30, 10);
  point.groups[0].count = 5;
  point.groups[0].workload = {
      .file_size = {.distribution = FileSize::Distribution::kExponential,
                    .mean_packets = 20,
                    .minimum_packets = 1},
      .off_time = {.distribution = OffTime::Distribution::kExponential, .mean_s = 0.5}};
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "others";
  point.groups[1].extra_delay_s = 0.02;
  point.dumbbell().way_back->loss_probability = 0.05;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  point.dumbbell().bottleneck.reordering = kit::Reordering{.share = 0.1, .delay_s = 0.006};
  for (const kit::Queue queue : {kit::Queue::kDropTail, kit::Queue::kFqCodel}) {
    point.dumbbell().bottleneck.queue = queue;
    point.stop = {.connections = 2000, .warmup_connections = 100};
    const Measurements measured = simulate(point, 1);
    EXPECT_EQ(measured.counters.connections_completed, 2100);
    EXPECT_GT(measured.packets.acks_lost, 0);
    expect_conservation(measured.counters);
  }
}

// A packet takes 0.1 s there and back, 5 ms of which on the link of 1.6 Mbit/s that is the others' way back.
Point returning_point(const Variant& variant, std::int32_t window) {
  Point point = asymmetric_point(variant, window, 1000);
  point.dumbbell().way_back->rate_bit_per_s = 1.6e6;
  point.return_delay_s = kRoundTrip_s - 0.05 - 0.005 - 8e-9;
  point.groups[0].returns = true;
  return point;
}

TEST_P(WayBack, AnUploadAloneSendsAWindowARoundTrip) {
  Point point = returning_point(GetParam(), 6);
  point.groups[0].workload.file_size.mean_packets = 600;
  point.stop = {.connections = 1, .transfer_packets = 600};
  const Measurements measured = simulate(point, 1);
  if (!GetParam().delays_acks) {
    EXPECT_NEAR(seconds(measured.end), 100 * kRoundTrip_s + 5 * 0.005, 1e-6);
  }
  EXPECT_EQ(measured.packets.returning, 600);
  EXPECT_EQ(measured.packets.acks, 0);
  expect_conservation(measured.counters);
}

INSTANTIATE_TEST_SUITE_P(Variants, WayBack,
                         testing::Values(Variant{"newreno"}, Variant{"newreno", std::nullopt, true},
                                         Variant{"newreno-sack"}, Variant{"cubic", std::nullopt, true},
                                         Variant{"newreno-sack", kit::LossDetection::kRackTlp},
                                         Variant{"cubic", kit::LossDetection::kRackTlp, true}));

}  // namespace
}  // namespace packetsim
