// SPDX-License-Identifier: GPL-2.0-only
// Packets are conserved, and groups that differ share a bottleneck.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "kit/point/point.hpp"
#include "ns3/simulator.h"
#include "shared_points.hpp"
#include "simulation.hpp"

namespace tcp_atlas {
namespace {

using kit::Point;

// Ten flows that are told of every packet beside ten that are not, with receivers of two kinds.
Point mixed_groups() {
  Point point = shared_network(10, 20);
  point.groups[0].workload.file_size = {.mean_packets = 200};
  point.groups[0].tcp.variant = "newreno-sack";
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "cumulative";
  point.groups[1].tcp.variant = "newreno";
  point.groups[1].tcp.delayed_ack = kit::DelayedAck{.packets = 2, .timeout_s = 0.1};
  point.stop.connections = 300;
  return point;
}

// Who hears of every loss has fewer timeouts; nobody gets more than the bottleneck has.
TEST(MixedGroups, SelectiveAcknowledgementsAvoidTimeouts) {
  const Point point = mixed_groups();
  std::array<int, 2> timeouts{};
  Simulation simulation(point, 3);
  for (std::size_t source = 0; source < 20; ++source) {
    simulation.sender(source).TraceConnectWithoutContext(
        "Timeout",
        ns3::Callback<void, std::uint32_t>([&timeouts, source](std::uint32_t) { ++timeouts[source / 10]; }));
  }
  const kit::Measurements measured = simulation.run();
  EXPECT_GT(timeouts[1], 0);
  EXPECT_LT(timeouts[0], timeouts[1]);
  EXPECT_GT(measured.counters.packets_dropped, 100);
  EXPECT_LE(static_cast<double>(measured.packets.acknowledged) * 1500 * 8,
            10e6 * kit::seconds(measured.measured));
}

void expect_conservation(const Point& point) {
  const kit::Counters c = Simulation(point, 3).run().counters;
  EXPECT_GT(c.packets_dropped, 0);
  EXPECT_GT(c.packets_lost, 0);
  EXPECT_GT(c.packets_in_flight, 0);
  EXPECT_EQ(c.packets_sent, c.packets_delivered + c.packets_dropped + c.packets_lost + c.packets_in_flight);
}

TEST(Conservation, HoldsWithLossesOfBothKinds) {
  Point point = shared_network(134, 60);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_conservation(point);
}

TEST(Conservation, HoldsWithFairQueueing) {
  Point point = shared_network(134, 60);
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_conservation(point);
}

TEST(Conservation, HoldsBehindManagedQueues) {
  for (const kit::Queue queue : {kit::Queue::kCodel, kit::Queue::kFqCodel, kit::Queue::kPie}) {
    Point point = shared_network(134, 200);
    point.dumbbell().bottleneck.queue = queue;
    point.dumbbell().bottleneck.loss_probability = 0.02;
    expect_conservation(point);
  }
}

TEST(Conservation, HoldsWithSelectiveAcknowledgementsAmongMany) {
  Point point = mixed_groups();
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_conservation(point);
}

// A short transfer stands for one without end: 2e9 packets, where numbers end.
TEST(Refused, ATransferWithoutEndWhosePacketsEnd) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kPoisson);
  point.groups[0].workload.file_size.mean_packets = 100;
  EXPECT_THROW(Simulation(point, 3).run(), kit::Unsupported);
}

TEST(Conservation, LeavesCrossTrafficOut) {
  const kit::Measurements measured = Simulation(bulk_beside(kit::CrossTrafficSpec::Kind::kPoisson), 3).run();
  const kit::Counters& c = measured.counters;
  EXPECT_GT(c.packets_dropped, 0);
  EXPECT_GT(measured.packets.cross_dropped, 0);
  EXPECT_EQ(c.packets_sent, c.packets_delivered + c.packets_dropped + c.packets_in_flight);
}

}  // namespace
}  // namespace tcp_atlas
