// Packets of sizes of their own: of groups, and of traffic that nobody answers.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "detours.hpp"
#include "kit/main/run.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

class PacketSizes : public testing::TestWithParam<kit::Queue> {};

// 8 Mbit/s, for packets of 1000 bytes, and a source that has not come yet.
Point stream_point(kit::Queue queue, std::int32_t bytes, double rate_bit_per_s) {
  Point point = lone_point({"newreno-sack"}, 100);
  point.dumbbell().bottleneck.queue = queue;
  point.dumbbell().bottleneck.buffer_packets = 50;
  point.groups[0].workload.start_s = 1e5;
  point.cross_traffic = {.kind = CrossTrafficSpec::Kind::kDeterministic,
                         .rate_bit_per_s = rate_bit_per_s,
                         .packet_bytes = bytes,
                         .phase = 0.5};
  point.stop = {.duration_s = 50, .warmup_s = 10};
  return point;
}

// Packets have the rate in bits: below the link's each is sent as it comes, and of 10 Mbit/s 8 are carried,
// 1 - C / r = 1/5 lost, whatever the size.
TEST_P(PacketSizes, AStreamHasItsRateInBits) {
  for (const std::int32_t bytes : {100, 1000, 2000}) {
    for (const double rate_bit_per_s : {4e6, 10e6}) {
      const PacketSums sums = simulate(stream_point(GetParam(), bytes, rate_bit_per_s), 1).packets;
      const double packets = 50 * rate_bit_per_s / 8 / bytes;
      EXPECT_EQ(static_cast<double>(sums.cross_arrived), packets);
      EXPECT_NEAR(static_cast<double>(sums.cross_dropped), rate_bit_per_s > 8e6 ? packets / 5 : 0, 51);
      if (rate_bit_per_s < 8e6) {
        EXPECT_NEAR(sums.cross_delay_ps / packets, bytes * 1e6, 1e3);
        EXPECT_EQ(sums.cross_dropped, 0);
      }
    }
  }
}

// A run of sources whose own size is that of another point's packets is that point's.
TEST_P(PacketSizes, AreWhatAPointsSizeIs) {
  if (GetParam() == kit::Queue::kPie || GetParam() == kit::Queue::kRed) {
    return;  // which know the time of a usual packet
  }
  Point point = lone_point({"cubic", kit::LossDetection::kRackTlp}, 100);
  point.dumbbell().bottleneck.queue = GetParam();
  point.dumbbell().bottleneck.buffer_packets = 30;
  point.dumbbell().hops.push_back({{.rate_bit_per_s = 5e6, .delay_s = 0.01}, 20});
  point.groups[0].last_hop = 1;
  point.groups[0].access.rate_bit_per_s = 1e8;
  point.dumbbell().egress.rate_bit_per_s = 1e8;
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "back";
  point.groups[1].returns = true;
  point.ack_bytes = 40;
  point.dumbbell().way_back = kit::ReturnLink{.rate_bit_per_s = 4e6, .buffer_packets = 20};
  point.cross_traffic = {.kind = CrossTrafficSpec::Kind::kPoisson, .rate_bit_per_s = 1e6};
  point.stop = {.duration_s = 20, .warmup_s = 2};
  Point own = point;
  point.packet_bytes = 500;
  own.cross_traffic.packet_bytes = own.groups[0].packet_bytes = own.groups[1].packet_bytes = 500;
  const auto metrics = [](const Point& of) { return kit::run_json(of, 3, simulate(of, 3), kEngine); };
  const kit::Json expected = metrics(point)["metrics"], got = metrics(own)["metrics"];
  for (const auto& [name, metric] : expected.items()) {
    const auto value = metric["value"].get<double>();
    EXPECT_NEAR(got[name]["value"].get<double>(), value, 1e-9 * value) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Queues, PacketSizes,
                         testing::Values(kit::Queue::kDropTail, kit::Queue::kFairIndividual,
                                         kit::Queue::kFairShared, kit::Queue::kCodel, kit::Queue::kFqCodel,
                                         kit::Queue::kPie, kit::Queue::kRed, kit::Queue::kStep));

// Windows that never change, of 300 kB and of 150 kB in packets of 1000 and of 250 bytes: behind one wait
// rates are as windows, behind turns in bytes (RFC 8290) alike in bits, and behind turns in packets in
// packets.
TEST(PacketSizesOfGroups, ShareByWindowsBytesOrPackets) {
  for (const kit::Queue queue : {kit::Queue::kDropTail, kit::Queue::kFqCodel, kit::Queue::kFairIndividual}) {
    Point point = stream_point(queue, 0, 0);
    point.cross_traffic = {};
    point.dumbbell().bottleneck.buffer_packets = 2000;
    point.dumbbell().bottleneck.flows = 0;
    point.dumbbell().bottleneck.target_s = point.dumbbell().bottleneck.interval_s = 100;
    point.groups[0].workload.start_s = 0;
    point.groups[0].tcp.rwnd_packets = 300;
    point.groups.push_back(point.groups[0]);
    point.groups[1].name = "small";
    point.groups[1].packet_bytes = 250;
    point.groups[1].tcp.rwnd_packets = 600;
    const Measurements measured = simulate(point, 1);
    const bool bits = queue == kit::Queue::kFqCodel, one_wait = queue == kit::Queue::kDropTail;
    const double large = 50e6 / (one_wait ? 1500 : bits ? 2000 : 1250);
    const double small = 50e6 / (one_wait ? 750 : bits ? 500 : 1250);
    EXPECT_NEAR(static_cast<double>(measured.acknowledged[0]) / large, 1, 0.01);
    EXPECT_NEAR(static_cast<double>(measured.acknowledged[1]) / small, 1, 0.01);
    expect_conservation(measured.counters);
  }
}

}  // namespace
}  // namespace packetsim
