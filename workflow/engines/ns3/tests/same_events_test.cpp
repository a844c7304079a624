// SPDX-License-Identifier: GPL-2.0-only
// Both engines, event for event: the same packets sent and the same acknowledgements taken in at the same
// picosecond by the same source. Both keep time in picoseconds, and the rates are such that every
// transmission takes a whole number of them, so there is no rounding to allow for.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "ns3/simulator.h"
#include "run/simulate.hpp"
#include "simulation.hpp"
#include "tcp/newreno.hpp"
#include "tcp/reno.hpp"
#include "tcp/tahoe.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;
using kit::Point;

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

struct Recorder : kit::NoObserver {
  std::vector<Action> actions;

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    actions.push_back({now, flow, packet});
  }
  void acknowledged(std::int32_t flow, bool, bool, Picoseconds now) { actions.push_back({now, flow, 0}); }
  void transfer_completed(std::int32_t flow, bool, Picoseconds, Picoseconds now) {
    actions.push_back({now, flow, 0});
  }
};

template <class Variant, class Queue>
std::vector<Action> packetsim_actions(const Point& point) {
  packetsim::Dumbbell<Variant, Recorder, Queue> dumbbell(point, 7);
  if (point.stop.duration_s > 0) {
    dumbbell.run_until(kit::picoseconds(point.stop.duration_s));
  } else {
    dumbbell.run_until_completed(point.stop.connections);
  }
  return in_order(dumbbell.observer().actions);
}

std::vector<Action> ns3_actions(const Point& point) {
  Simulation simulation(point, 7);
  std::vector<Action> actions;
  for (std::int32_t source = 0; source < point.groups[0].count; ++source) {
    PacketSender& sender = simulation.sender(static_cast<std::size_t>(source));
    const auto record = [&actions, source](std::int32_t packet) {
      actions.push_back({ns3::Simulator::Now().GetTimeStep(), source, packet});
    };
    sender.TraceConnectWithoutContext(
        "Sent", ns3::Callback<void, std::uint32_t>(
                    [record](std::uint32_t packet) { record(static_cast<std::int32_t>(packet)); }));
    sender.TraceConnectWithoutContext(
        "Acknowledgement", ns3::Callback<void, std::uint32_t>([record](std::uint32_t) { record(0); }));
  }
  simulation.run();
  return in_order(actions);
}

template <class Variant = packetsim::NewReno, class Queue = packetsim::DropTailQueue>
void expect_same_actions(const Point& point) {
  const auto expected = packetsim_actions<Variant, Queue>(point);
  const auto actual = ns3_actions(point);
  ASSERT_GT(expected.size(), 2U * static_cast<std::size_t>(point.stop.connections));
  ASSERT_GT(static_cast<double>(expected.size()), 20 * point.stop.duration_s);
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
  Point point = kit::table_6_point(sources, buffer);
  point.groups[0].access.rate_bit_per_s = 96e6;
  point.dumbbell().egress.rate_bit_per_s = 1e9;
  point.stop.connections = 1500;
  return point;
}

// A bulk transfer and 20 packets/s beside it. A packet takes 1/320 s in, 1/160 s at the bottleneck and 4608
// ps out: whole picoseconds.
Point bulk(kit::CrossTrafficSpec::Kind kind) {
  Point point = kit::bulk_point();
  point.groups[0].access.rate_bit_per_s = 320 * 4608;
  point.dumbbell().bottleneck.rate_bit_per_s = 160 * 4608;
  point.groups[0].tcp.rwnd_packets = 1000;
  point.cross_traffic = {.kind = kind, .rate_bit_per_s = 20 * 4608};
  point.stop.duration_s = 200;
  return point;
}

// Every file is of 25 packets, and every pause as long.
Point with_files_of_one_size(Point point) {
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kFixed,
                                        .mean_packets = 25};
  point.groups[0].workload.off_time = {.mean_s = 0.7131};
  return point;
}

TEST(SameEvents, DeterministicSourcesThatOverflowTheBuffer) {
  expect_same_actions(with_files_of_one_size(network(40, 30)));
}

TEST(SameEvents, LowLoad) { expect_same_actions(network(40, 200)); }

TEST(SameEvents, HighLoad) { expect_same_actions(network(134, 200)); }

TEST(SameEvents, HighLossAndLongTails) {
  Point point = network(134, 40);
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kExponentialExponential,
                                        .mean_packets = 12,
                                        .minimum_packets = 3,
                                        .tail_share = 0.1,
                                        .tail_mean_ratio = 7};
  expect_same_actions(point);
}

TEST(SameEvents, RandomLoss) {
  Point point = network(82, 200);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_same_actions(point);
}

TEST(SameEvents, LossesInBurstsAndEvenlySpaced) {
  Point point = network(82, 200);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  point.dumbbell().bottleneck.losses = {kit::Losses::Kind::kBursts, 3, 0.8};
  expect_same_actions(point);
  point.dumbbell().bottleneck.losses.kind = kit::Losses::Kind::kEvenlySpaced;
  expect_same_actions(point);
}

TEST(SameEvents, LongFilesThroughAShortBuffer) {
  Point point = network(10, 12);
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kFixed,
                                        .mean_packets = 400};
  point.stop.connections = 60;
  expect_same_actions(point);
}

// Everything but queueing takes 36 times the bottleneck's 1.2 ms, so that arrivals fall together with
// departures all the time.
Point meeting(kit::Bottleneck::Ties ties) {
  Point point = network(30, 25);
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kFixed,
                                        .mean_packets = 100};
  point.groups[0].access.delay_s = 0.003;
  point.return_delay_s =
      36 * 0.0012 - 0.0012 - 0.000125 - 0.000012 - 0.003 - point.dumbbell().bottleneck.delay_s;
  point.stop.connections = 300;
  point.dumbbell().bottleneck.ties = ties;
  return point;
}

using TieRule = kit::Bottleneck::Ties;

// A coin would bring packets of different sources together as well, whose order is for each engine to choose.
TEST(SameEvents, ArrivalsThatMeetDepartures) {
  expect_same_actions(meeting(TieRule::kDepartureFirst));
  expect_same_actions(meeting(TieRule::kArrivalFirst));
}

class Ties : public testing::TestWithParam<TieRule> {};

INSTANTIATE_TEST_SUITE_P(EveryRule, Ties,
                         testing::Values(TieRule::kDepartureFirst, TieRule::kArrivalFirst, TieRule::kRandom));

// A coin is tossed for the same arrivals in the same order.
TEST_P(Ties, BulkTahoeBesideDeterministicTrafficThatMeetsDepartures) {
  Point point = bulk(kit::CrossTrafficSpec::Kind::kDeterministic);
  point.cross_traffic.phase = 0.3125;  // the periods are eight services
  point.dumbbell().bottleneck.ties = GetParam();
  expect_same_actions<packetsim::Tahoe>(point);
}

TEST(SameEvents, TheTieRuleDecidesWhatArrivalsThatMeetDeparturesLeadTo) {
  const auto actions = [](TieRule ties) {
    return packetsim_actions<packetsim::NewReno, packetsim::DropTailQueue>(meeting(ties));
  };
  const auto departure_first = actions(TieRule::kDepartureFirst);
  const auto arrival_first = actions(TieRule::kArrivalFirst);
  const auto random = actions(TieRule::kRandom);
  EXPECT_NE(arrival_first, departure_first);
  EXPECT_NE(random, departure_first);
  EXPECT_NE(random, arrival_first);
}

TEST(SameEvents, Tahoe) {
  Point point = network(134, 60);
  point.groups[0].tcp.variant = "tahoe";
  point.dumbbell().bottleneck.loss_probability = 0.005;
  expect_same_actions<packetsim::Tahoe>(point);
}

// A packet lost first of four is found by the three after it.
TEST(SameEvents, TahoeWithAnInitialWindowOfFour) {
  Point point = network(134, 60);
  point.groups[0].tcp.variant = "tahoe";
  point.groups[0].tcp.initial_window_packets = 4;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_same_actions<packetsim::Tahoe>(point);
}

TEST(SameEvents, RenoWithFilesOfOneSize) {
  Point point = with_files_of_one_size(network(40, 30));
  point.groups[0].tcp.variant = "reno";
  expect_same_actions<packetsim::Reno>(point);
}

TEST(SameEvents, RenoAtHighLossBehindAFairQueueWithASharedBuffer) {
  Point point = network(134, 40);
  point.groups[0].tcp.variant = "reno";
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
  point.dumbbell().bottleneck.loss_probability = 0.01;
  expect_same_actions<packetsim::Reno, packetsim::FairQueue>(point);
}

TEST(SameEvents, DeterministicSourcesBehindAFairQueueWithIndividualBuffers) {
  Point point = with_files_of_one_size(network(40, 3));
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairIndividual;
  expect_same_actions<packetsim::NewReno, packetsim::FairQueue>(point);
}

TEST(SameEvents, DeterministicSourcesBehindAFairQueueWithASharedBuffer) {
  Point point = with_files_of_one_size(network(40, 30));
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
  expect_same_actions<packetsim::NewReno, packetsim::FairQueue>(point);
}

TEST(SameEvents, BulkTahoeBesideDeterministicTraffic) {
  expect_same_actions<packetsim::Tahoe>(bulk(kit::CrossTrafficSpec::Kind::kDeterministic));
}

TEST(SameEvents, BulkTahoeBesidePoissonTraffic) {
  expect_same_actions<packetsim::Tahoe>(bulk(kit::CrossTrafficSpec::Kind::kPoisson));
}

TEST(SameEvents, BulkTahoeWithoutATickingClock) {
  Point point = bulk(kit::CrossTrafficSpec::Kind::kPoisson);
  point.groups[0].tcp.clock_tick_s = 0;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_same_actions<packetsim::Tahoe>(point);
}

TEST(SameEvents, BulkRenoBesideDeterministicTraffic) {
  Point point = bulk(kit::CrossTrafficSpec::Kind::kDeterministic);
  point.groups[0].tcp.variant = "reno";
  expect_same_actions<packetsim::Reno>(point);
}

TEST(SameEvents, OnOffSourcesBesideCrossTraffic) {
  Point point = network(40, 30);
  point.cross_traffic = {.kind = kit::CrossTrafficSpec::Kind::kPoisson, .rate_bit_per_s = 4e6};
  expect_same_actions(point);
}

// What is measured of the same events is the same number too.
void expect_same_metrics(const Point& point, std::size_t metrics) {
  const auto expected = kit::run_json(point, 7, packetsim::simulate(point, 7), packetsim::kEngine);
  const auto actual = kit::run_json(point, 7, Simulation(point, 7).run(), packetsim::kEngine);
  // packetsim may go on to where what was sent last has reached the bottleneck; here it must not.
  ASSERT_EQ(actual["simulated_s"], expected["simulated_s"]);
  EXPECT_GE(expected["metrics"].size(), metrics);
  EXPECT_EQ(actual["metrics"], expected["metrics"]);
  EXPECT_EQ(actual["distributions"], expected["distributions"]);
  EXPECT_EQ(actual.value("traces", nlohmann::ordered_json()),
            expected.value("traces", nlohmann::ordered_json()));
}

TEST(SameEvents, GiveTheSameMetrics) {
  Point point = network(134, 60);
  point.stop.warmup_connections = 200;
  expect_same_metrics(point, 13);
}

TEST(SameEvents, GiveTheSameMetricsOfGroupsThatDiffer) {
  Point point = network(40, 30);
  point.dumbbell().bottleneck.loss_probability = 0.005;
  point.stop.warmup_connections = 100;
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "far";
  point.groups[1].count = 20;
  point.groups[1].extra_delay_s = 0.0313;
  point.groups[1].tcp.variant = "reno";
  point.groups[1].workload.off_time.mean_s = 2;
  point.groups[1].access.rate_bit_per_s = 48e6;
  expect_same_metrics(point, 24);
}

TEST(SameEvents, GiveTheSameMetricsOfAllProbes) {
  for (const char* variant : {"newreno", "newreno-sack"}) {
    Point point = network(134, 60);
    point.groups[0].tcp.variant = variant;
    point.stop.warmup_connections = 200;
    point.probes.capacity_sharing = point.probes.drop_positions = point.probes.loss_recovery = true;
    point.probes.size_intervals = {{3, 6, "3-6"}, {7, INT32_MAX, ">6"}};
    expect_same_metrics(point, 40);
  }
}

TEST(SameEvents, GiveTheSameMetricsOfAllProbesBehindAFairQueue) {
  for (const auto queue : {kit::Bottleneck::Queue::kFairIndividual, kit::Bottleneck::Queue::kFairShared}) {
    const bool shared = queue == kit::Bottleneck::Queue::kFairShared;
    Point point = network(134, shared ? 60 : 4);
    point.dumbbell().bottleneck.queue = queue;
    point.groups[0].tcp.variant = "reno";
    point.stop.warmup_connections = 200;
    point.probes.capacity_sharing = point.probes.drop_positions = point.probes.loss_recovery = true;
    point.probes.size_intervals = {{3, 6, "3-6"}, {7, INT32_MAX, ">6"}};
    expect_same_metrics(point, 40);
  }
}

// The fixed-point paper's 30 FTP sources (Baccelli, Hong and Liu 2001, section 6).
TEST(SameEvents, GiveTheSameMetricsOfBulkTransfersBehindAFairQueue) {
  Point point = bulk(kit::CrossTrafficSpec::Kind::kNone);
  point.groups[0].count = 30;
  point.groups[0].tcp.variant = "reno";
  point.groups[0].tcp.rwnd_packets = 20;
  point.dumbbell().bottleneck.buffer_packets = 5;
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairIndividual;
  point.stop.warmup_s = 20;
  point.stop.duration_s = 100;
  expect_same_metrics(point, 8);
}

// Rates that share no multiples: where packets of two sources meet, each engine has an order of its own.
TEST(SameEvents, BulkTransfersThatBeginOneByOne) {
  Point point = bulk(kit::CrossTrafficSpec::Kind::kNone);
  point.groups[0].access.rate_bit_per_s = 10.003e6;
  point.dumbbell().bottleneck.rate_bit_per_s = 1.0007e6;
  point.dumbbell().egress.rate_bit_per_s = 10.009e6;
  point.stop.duration_s = 20;
  point.groups[0].count = 5;
  point.groups[0].workload.start_spread_s = 0.2;
  point.groups[0].tcp.variant = "reno";
  expect_same_actions<packetsim::Reno>(point);
}

TEST(SameEvents, GiveTheSameMetricsWhereArrivalsMeetDepartures) {
  for (const TieRule rule : {TieRule::kDepartureFirst, TieRule::kArrivalFirst}) {
    Point point = meeting(rule);
    point.stop.warmup_connections = 30;
    point.probes.drop_positions = point.probes.loss_recovery = true;
    expect_same_metrics(point, 13);
  }
}

TEST(SameEvents, GiveTheSameMetricsOfABulkTransfer) {
  Point point = bulk(kit::CrossTrafficSpec::Kind::kDeterministic);
  point.stop.warmup_s = 20;
  point.stop.duration_s = 100;
  point.probes.loss_cycles = point.probes.window_trace = true;
  expect_same_metrics(point, 14);
}

// A run that stops with the transfer's last acknowledgement.
TEST(SameEvents, GiveTheSameMetricsOfATransferOfAGivenLength) {
  for (const char* variant : {"newreno", "newreno-sack"}) {
    Point point = bulk(kit::CrossTrafficSpec::Kind::kNone);
    point.dumbbell().bottleneck.loss_probability = 0.02;
    point.groups[0].tcp.variant = variant;
    point.groups[0].workload.file_size.mean_packets = 3000;
    point.stop.duration_s = 0;
    point.stop.connections = 1;
    point.probes.filter_log = true;
    expect_same_metrics(point, 35);
  }
}

// Ten flows that are told of every packet beside ten that are not, with receivers of two kinds.
Point mixed_groups() {
  Point point = network(10, 20);
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
  Point point = network(134, 60);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_conservation(point);
}

TEST(Conservation, HoldsWithFairQueueing) {
  Point point = network(134, 60);
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_conservation(point);
}

TEST(Conservation, HoldsWithSelectiveAcknowledgementsAmongMany) {
  Point point = mixed_groups();
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_conservation(point);
}

TEST(Conservation, LeavesCrossTrafficOut) {
  const kit::Measurements measured = Simulation(bulk(kit::CrossTrafficSpec::Kind::kPoisson), 3).run();
  const kit::Counters& c = measured.counters;
  EXPECT_GT(c.packets_dropped, 0);
  EXPECT_GT(measured.packets.cross_dropped, 0);
  EXPECT_EQ(c.packets_sent, c.packets_delivered + c.packets_dropped + c.packets_in_flight);
}

}  // namespace
}  // namespace tcp_atlas
