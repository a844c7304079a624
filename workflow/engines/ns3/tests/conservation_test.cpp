// SPDX-License-Identifier: GPL-2.0-only
// Packets are conserved.

#include <gtest/gtest.h>

#include "kit/point/point.hpp"
#include "shared_points.hpp"
#include "simulation.hpp"

namespace tcp_atlas {
namespace {

using kit::Point;

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
