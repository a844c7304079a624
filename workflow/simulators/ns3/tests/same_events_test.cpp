// SPDX-License-Identifier: GPL-2.0-only
// Both engines, event for event: the same packets sent and the same acknowledgements taken in at the same
// picosecond by the same source. Both keep time in picoseconds, and the rates are such that every
// transmission takes a whole number of them, so there is no rounding to allow for.

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <ostream>
#include <vector>

#include "dumbbell.hpp"
#include "newreno.hpp"
#include "ns3/simulator.h"
#include "ns3_dumbbell.hpp"
#include "points.hpp"
#include "run.hpp"
#include "tahoe.hpp"

namespace tcp_atlas {
namespace {

using packetsim::Picoseconds;
using packetsim::Point;

struct Action {
  Picoseconds time;
  std::int32_t source;
  std::int32_t packet;  // 0: an acknowledgement, else the packet sent

  auto operator<=>(const Action&) const = default;
};

void PrintTo(const Action& action, std::ostream* stream) {
  *stream << (action.packet == 0 ? "ack" : "packet ") << action.packet << " of source " << action.source
          << " at " << action.time << " ps";
}

// Both engines hand over actions in order of time; a source's own of one instant are put into one order.
std::vector<Action> in_order(std::vector<Action> actions) {
  std::sort(actions.begin(), actions.end());
  return actions;
}

struct Recorder : packetsim::NoObserver {
  std::vector<Action> actions;

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    actions.push_back({now, flow, packet});
  }
  void acknowledged(std::int32_t flow, bool, bool, Picoseconds now) { actions.push_back({now, flow, 0}); }
  void transfer_completed(std::int32_t flow, bool, Picoseconds, Picoseconds now) {
    actions.push_back({now, flow, 0});
  }
};

template <class Variant>
std::vector<Action> packetsim_actions(const Point& point) {
  packetsim::Dumbbell<Variant, Recorder> dumbbell(point, 7);
  dumbbell.run_until_completed(point.stop_connections);
  return in_order(dumbbell.observer().actions);
}

std::vector<Action> ns3_actions(const Point& point) {
  Dumbbell dumbbell(point, 7);
  std::vector<Action> actions;
  for (std::int32_t source = 0; source < point.source_count; ++source) {
    PacketTcpSender& sender = dumbbell.sender(static_cast<std::size_t>(source));
    const auto record = [&actions, source](std::int32_t packet) {
      actions.push_back({ns3::Simulator::Now().GetTimeStep(), source, packet});
    };
    sender.TraceConnectWithoutContext(
        "Sent", ns3::Callback<void, std::uint32_t>(
                    [record](std::uint32_t packet) { record(static_cast<std::int32_t>(packet)); }));
    sender.TraceConnectWithoutContext(
        "Acknowledgement", ns3::Callback<void, std::uint32_t>([record](std::uint32_t) { record(0); }));
  }
  dumbbell.run();
  return in_order(actions);
}

template <class Variant = packetsim::NewReno>
void expect_same_actions(const Point& point) {
  const auto expected = packetsim_actions<Variant>(point);
  const auto actual = ns3_actions(point);
  ASSERT_GT(expected.size(), 2U * static_cast<std::size_t>(point.stop_connections));
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    ASSERT_EQ(actual[i], expected[i]) << "action " << i << " of " << expected.size();
  }
  EXPECT_EQ(actual.size(), expected.size());
}

// The paper's setting with egress links of 1 Gbit/s, which never queue: acknowledgements come back as far
// apart as the bottleneck sends, so no two sources ever act at the same instant. Where they do (with table
// 6's slow egress links), whose packet is first is for each engine to choose, and the choice would make them
// part. For the same reason a packet takes 0.125 ms on the access link, which shares few multiples with the
// bottleneck's 1.2 ms.
Point network(std::int32_t sources, std::int32_t buffer) {
  Point point = packetsim::table_6_point(sources, buffer);
  point.access.rate_bit_per_s = 96e6;
  point.egress.rate_bit_per_s = 1e9;
  point.stop_connections = 1500;
  return point;
}

TEST(SameEvents, DeterministicSourcesThatOverflowTheBuffer) {
  Point point = network(40, 30);
  point.file_size = {.distribution = packetsim::FileSize::Distribution::kFixed, .mean_packets = 25};
  point.off_time = {.exponential = false, .mean_s = 0.7131};
  expect_same_actions(point);
}

TEST(SameEvents, LowLoad) { expect_same_actions(network(40, 200)); }

TEST(SameEvents, HighLoad) { expect_same_actions(network(134, 200)); }

TEST(SameEvents, HighLossAndLongTails) {
  Point point = network(134, 40);
  point.file_size = {.distribution = packetsim::FileSize::Distribution::kExponentialExponential,
                     .mean_packets = 12,
                     .minimum_packets = 3,
                     .tail_share = 0.1,
                     .tail_mean_ratio = 7};
  expect_same_actions(point);
}

TEST(SameEvents, RandomLoss) {
  Point point = network(82, 200);
  point.bottleneck.loss_probability = 0.02;
  expect_same_actions(point);
}

TEST(SameEvents, LongFilesThroughAShortBuffer) {
  Point point = network(10, 12);
  point.file_size = {.distribution = packetsim::FileSize::Distribution::kFixed, .mean_packets = 400};
  point.stop_connections = 60;
  expect_same_actions(point);
}

// Everything but queueing takes 36 times the bottleneck's 1.2 ms, so that arrivals fall together with
// departures all the time: both must let the departure come first.
TEST(SameEvents, ArrivalsThatMeetDepartures) {
  Point point = network(30, 25);
  point.file_size = {.distribution = packetsim::FileSize::Distribution::kFixed, .mean_packets = 100};
  point.access.delay_s = 0.003;
  point.return_delay_s = 36 * 0.0012 - 0.0012 - 0.000125 - 0.000012 - 0.003 - point.bottleneck.delay_s;
  point.stop_connections = 300;
  expect_same_actions(point);
}

TEST(SameEvents, Tahoe) {
  Point point = network(134, 60);
  point.tcp.variant = packetsim::Tcp::Variant::kTahoe;
  point.bottleneck.loss_probability = 0.005;
  expect_same_actions<packetsim::Tahoe>(point);
}

// What the monitors make of the same events is the same number too.
TEST(SameEvents, GiveTheSameMetrics) {
  Point point = network(134, 60);
  point.warmup_connections = 200;
  packetsim::Dumbbell<packetsim::NewReno> dumbbell(point, 7);
  dumbbell.run_until_completed(point.warmup_connections);
  dumbbell.restart_measurements();
  dumbbell.run_until_completed(point.warmup_connections + point.stop_connections);
  const auto expected = packetsim::run_json(point, 7, dumbbell.measurements());
  const auto actual = packetsim::run_json(point, 7, Dumbbell(point, 7).run());
  ASSERT_GE(actual["metrics"].size(), 10U);
  for (const auto& [name, metric] : actual["metrics"].items()) {
    EXPECT_EQ(metric, expected["metrics"].at(name)) << name;
  }
  EXPECT_EQ(actual["distributions"], expected["distributions"]);
}

TEST(Conservation, HoldsWithLossesOfBothKinds) {
  Point point = network(134, 60);
  point.bottleneck.loss_probability = 0.02;
  const packetsim::Counters c = Dumbbell(point, 3).run().counters;
  EXPECT_GT(c.packets_dropped, 0);
  EXPECT_GT(c.packets_lost, 0);
  EXPECT_GT(c.packets_in_flight, 0);
  EXPECT_EQ(c.packets_sent, c.packets_delivered + c.packets_dropped + c.packets_lost + c.packets_in_flight);
}

}  // namespace
}  // namespace tcp_atlas
