// SPDX-License-Identifier: GPL-2.0-only
// Lone flows within what their rules allow; packets are conserved.

#include "simulation.hpp"

#include <gtest/gtest.h>

namespace ns3_tcp {
namespace {

// Flows without end over 10 Mbit/s and 40 ms.
kit::Point bulk(const char* variant, std::int32_t flows, std::int32_t buffer, std::int32_t rwnd) {
  return {.study = "test",
          .set = "bulk",
          .name = "point",
          .topology = kit::Dumbbell{.bottleneck = {{.rate_bit_per_s = 10e6, .delay_s = 0.02}, 0, buffer},
                                    .egress = {.rate_bit_per_s = 1e12, .delay_s = 0}},
          .return_delay_s = 0.02,
          .packet_bytes = 1500,
          .groups = {{.count = flows,
                      .workload = {.kind = kit::Workload::Kind::kBulk,
                                   .file_size = {.mean_packets = INT32_MAX - 1}},
                      .tcp = {.variant = variant,
                              .rwnd_packets = rwnd,
                              .initial_window_packets = 10,
                              .min_rto_s = 0.4,
                              .max_rto_s = 120},
                      .access = {.rate_bit_per_s = 1e12, .delay_s = 0}}},
          .stop = {.duration_s = 20, .warmup_s = 10}};
}

double packets(const kit::Measurements& measured) {
  return static_cast<double>(measured.packets.acknowledged);
}

// A window a round trip: 1.2 ms at the bottleneck, 12 ns on each of the other links, and 40 ms.
TEST(Alone, SendsWhatTheReceiversWindowAllows) {
  const double round_trip_s = 0.04 + 0.0012 + 2 * 12e-9;
  for (const std::int32_t window : {4, 16, 32}) {
    const kit::Measurements measured = Simulation(bulk("cubic", 1, 50, window), 1).run();
    EXPECT_NEAR(packets(measured), window * 20 / round_trip_s, window) << window;
    EXPECT_EQ(measured.queue_drops, 0);
  }
}

// The window binds while losses are repaired.
TEST(Alone, SurvivesAWindowThatBindsInARecovery) {
  for (const std::int32_t window : {40, 66, 67, 80, 100}) {
    kit::Point point = bulk("cubic", 1, 33, window);
    point.dumbbell().bottleneck.loss_probability = 0.01;
    EXPECT_GT(packets(Simulation(point, 1).run()), 1000) << window;
  }
}

// 33 packets are on their way, 33 wait at most: RFC 9438 cuts a window of 66 to 46 at each loss, so that the
// link is never idle.
TEST(Alone, CubicFillsALinkWithABufferOfOneProduct) {
  const kit::Measurements measured = Simulation(bulk("cubic", 1, 33, 5000), 1).run();
  EXPECT_NEAR(packets(measured), 20 * 10e6 / 12000,
              66);  // one acknowledgement may tell of a window's packets
  EXPECT_EQ(measured.queue_time_at.size(), 34U);
  EXPECT_GT(measured.queue_drops, 3);
  EXPECT_LT(measured.queue_drops, 20);
}

// Its gains are 5/4 and 3/4 for a round trip each, and every 10 s it is down to four packets for 0.2 s. The
// buffer has a place for all that start-up sends, 2.89 times the 33 packets of the path: of a timeout TcpBbr
// does not recover.
TEST(Alone, BbrKeepsAShortQueue) {
  const kit::Measurements measured = Simulation(bulk("bbr", 1, 200, 5000), 1).run();
  EXPECT_GT(packets(measured), 0.94 * 20 * 10e6 / 12000);
  EXPECT_LT(packets(measured), 20 * 10e6 / 12000);
  EXPECT_EQ(measured.queue_drops, 0);
  const double round_trip_s =
      measured.packets.round_trip_ps / 1e12 / static_cast<double>(measured.packets.carried);
  EXPECT_GT(round_trip_s, 0.0412);
  EXPECT_LT(round_trip_s, 0.06);
}

TEST(Conservation, HoldsBehindEveryQueue) {
  for (const kit::Queue queue :
       {kit::Queue::kDropTail, kit::Queue::kCodel, kit::Queue::kFqCodel, kit::Queue::kPie}) {
    kit::Point point = bulk("cubic", 5, 66, 5000);
    point.dumbbell().bottleneck.queue = queue;
    point.dumbbell().bottleneck.loss_probability = 0.005;
    point.stop = {.duration_s = 5, .warmup_s = 1};
    const kit::Counters c = Simulation(point, 3).run().counters;
    EXPECT_GT(c.packets_dropped, 0);
    EXPECT_GT(c.packets_lost, 0);
    EXPECT_GT(c.packets_in_flight, 0);
    EXPECT_EQ(c.packets_sent, c.packets_delivered + c.packets_dropped + c.packets_lost + c.packets_in_flight);
  }
}

TEST(Groups, ShareTheLink) {
  kit::Point point = bulk("cubic", 2, 200, 5000);
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "bbr";
  point.groups[1].tcp.variant = "bbr";
  const kit::Measurements measured = Simulation(point, 1).run();
  ASSERT_EQ(measured.groups.size(), 2U);
  EXPECT_EQ(measured.groups[0].packets.acknowledged + measured.groups[1].packets.acknowledged,
            measured.packets.acknowledged);
  EXPECT_EQ(measured.acknowledged.size(), 4U);
  EXPECT_GT(packets(measured), 0.97 * 20 * 10e6 / 12000);
}

TEST(Refused, AnotherVariant) { EXPECT_THROW(Simulation(bulk("tahoe", 1, 66, 5000), 1), kit::Unsupported); }

}  // namespace
}  // namespace ns3_tcp
