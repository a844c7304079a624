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

#include "network/dumbbell.hpp"
#include "ns3/simulator.h"
#include "shared_points.hpp"
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

TEST(SameEvents, DeterministicSourcesThatOverflowTheBuffer) {
  expect_same_actions(with_files_of_one_size(shared_network(40, 30)));
}

TEST(SameEvents, LowLoad) { expect_same_actions(shared_network(40, 200)); }

TEST(SameEvents, HighLoad) { expect_same_actions(shared_network(134, 200)); }

TEST(SameEvents, HighLossAndLongTails) {
  Point point = shared_network(134, 40);
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kExponentialExponential,
                                        .mean_packets = 12,
                                        .minimum_packets = 3,
                                        .tail_share = 0.1,
                                        .tail_mean_ratio = 7};
  expect_same_actions(point);
}

TEST(SameEvents, RandomLoss) {
  Point point = shared_network(82, 200);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_same_actions(point);
}

TEST(SameEvents, LossesInBurstsAndEvenlySpaced) {
  Point point = shared_network(82, 200);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  point.dumbbell().bottleneck.losses = {kit::Losses::Kind::kBursts, 3, 0.8};
  expect_same_actions(point);
  point.dumbbell().bottleneck.losses.kind = kit::Losses::Kind::kEvenlySpaced;
  expect_same_actions(point);
  point.dumbbell().bottleneck.losses = {.kind = kit::Losses::Kind::kTimedBursts, .burst_time_s = 0.01};
  expect_same_actions(point);
}

TEST(SameEvents, LongFilesThroughAShortBuffer) {
  Point point = shared_network(10, 12);
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kFixed,
                                        .mean_packets = 400};
  point.stop.connections = 60;
  expect_same_actions(point);
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
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kDeterministic);
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
  Point point = shared_network(134, 60);
  point.groups[0].tcp.variant = "tahoe";
  point.dumbbell().bottleneck.loss_probability = 0.005;
  expect_same_actions<packetsim::Tahoe>(point);
}

// A packet lost first of four is found by the three after it.
TEST(SameEvents, TahoeWithAnInitialWindowOfFour) {
  Point point = shared_network(134, 60);
  point.groups[0].tcp.variant = "tahoe";
  point.groups[0].tcp.initial_window_packets = 4;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_same_actions<packetsim::Tahoe>(point);
}

TEST(SameEvents, RenoWithFilesOfOneSize) {
  Point point = with_files_of_one_size(shared_network(40, 30));
  point.groups[0].tcp.variant = "reno";
  expect_same_actions<packetsim::Reno>(point);
}

TEST(SameEvents, RenoAtHighLossBehindAFairQueueWithASharedBuffer) {
  Point point = shared_network(134, 40);
  point.groups[0].tcp.variant = "reno";
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
  point.dumbbell().bottleneck.loss_probability = 0.01;
  expect_same_actions<packetsim::Reno, packetsim::FairQueue>(point);
}

TEST(SameEvents, DeterministicSourcesBehindAFairQueueWithIndividualBuffers) {
  Point point = with_files_of_one_size(shared_network(40, 3));
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairIndividual;
  expect_same_actions<packetsim::NewReno, packetsim::FairQueue>(point);
}

TEST(SameEvents, DeterministicSourcesBehindAFairQueueWithASharedBuffer) {
  Point point = with_files_of_one_size(shared_network(40, 30));
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
  expect_same_actions<packetsim::NewReno, packetsim::FairQueue>(point);
}

TEST(SameEvents, BulkTahoeBesideDeterministicTraffic) {
  expect_same_actions<packetsim::Tahoe>(bulk_beside(kit::CrossTrafficSpec::Kind::kDeterministic));
}

TEST(SameEvents, BulkTahoeBesidePoissonTraffic) {
  expect_same_actions<packetsim::Tahoe>(bulk_beside(kit::CrossTrafficSpec::Kind::kPoisson));
}

TEST(SameEvents, BulkTahoeWithoutATickingClock) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kPoisson);
  point.groups[0].tcp.clock_tick_s = 0;
  point.dumbbell().bottleneck.loss_probability = 0.02;
  expect_same_actions<packetsim::Tahoe>(point);
}

TEST(SameEvents, BulkRenoBesideDeterministicTraffic) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kDeterministic);
  point.groups[0].tcp.variant = "reno";
  expect_same_actions<packetsim::Reno>(point);
}

TEST(SameEvents, OnOffSourcesBesideCrossTraffic) {
  Point point = shared_network(40, 30);
  point.cross_traffic = {.kind = kit::CrossTrafficSpec::Kind::kPoisson, .rate_bit_per_s = 4e6};
  expect_same_actions(point);
}

// Rates that share no multiples: where packets of two sources meet, each engine has an order of its own.
TEST(SameEvents, BulkTransfersThatBeginOneByOne) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kNone);
  point.groups[0].access.rate_bit_per_s = 10.003e6;
  point.dumbbell().bottleneck.rate_bit_per_s = 1.0007e6;
  point.dumbbell().egress.rate_bit_per_s = 10.009e6;
  point.stop.duration_s = 20;
  point.groups[0].count = 5;
  point.groups[0].workload.start_spread_s = 0.2;
  point.groups[0].tcp.variant = "reno";
  expect_same_actions<packetsim::Reno>(point);
}

}  // namespace
}  // namespace tcp_atlas
