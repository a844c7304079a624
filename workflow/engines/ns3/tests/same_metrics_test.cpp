// SPDX-License-Identifier: GPL-2.0-only
// Both engines, number for number: what is measured of the same events.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "kit/main/run.hpp"
#include "run/simulate.hpp"
#include "shared_points.hpp"
#include "simulation.hpp"

namespace tcp_atlas {
namespace {

using kit::Point;
using TieRule = kit::Bottleneck::Ties;

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

TEST(SameMetrics, OfOnOffSources) {
  Point point = shared_network(134, 60);
  point.stop.warmup_connections = 200;
  expect_same_metrics(point, 13);
}

TEST(SameMetrics, OfGroupsThatDiffer) {
  Point point = shared_network(40, 30);
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

TEST(SameMetrics, OfAllProbes) {
  Point point = shared_network(134, 60);
  point.stop.warmup_connections = 200;
  point.probes.capacity_sharing = point.probes.drop_positions = point.probes.loss_recovery = true;
  point.probes.size_intervals = {{3, 6, "3-6"}, {7, INT32_MAX, ">6"}};
  expect_same_metrics(point, 40);
}

TEST(SameMetrics, OfAllProbesBehindAFairQueue) {
  for (const auto queue : {kit::Bottleneck::Queue::kFairIndividual, kit::Bottleneck::Queue::kFairShared}) {
    const bool shared = queue == kit::Bottleneck::Queue::kFairShared;
    Point point = shared_network(134, shared ? 60 : 4);
    point.dumbbell().bottleneck.queue = queue;
    point.groups[0].tcp.variant = "reno";
    point.stop.warmup_connections = 200;
    point.probes.capacity_sharing = point.probes.drop_positions = point.probes.loss_recovery = true;
    point.probes.size_intervals = {{3, 6, "3-6"}, {7, INT32_MAX, ">6"}};
    expect_same_metrics(point, 40);
  }
}

// The fixed-point paper's 30 FTP sources (Baccelli, Hong and Liu 2001, section 6).
TEST(SameMetrics, OfBulkTransfersBehindAFairQueue) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kNone);
  point.groups[0].count = 30;
  point.groups[0].tcp.variant = "reno";
  point.groups[0].tcp.rwnd_packets = 20;
  point.dumbbell().bottleneck.buffer_packets = 5;
  point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairIndividual;
  point.stop.warmup_s = 20;
  point.stop.duration_s = 100;
  expect_same_metrics(point, 8);
}

TEST(SameMetrics, WhereArrivalsMeetDepartures) {
  for (const TieRule rule : {TieRule::kDepartureFirst, TieRule::kArrivalFirst}) {
    Point point = meeting(rule);
    point.stop.warmup_connections = 30;
    point.probes.drop_positions = point.probes.loss_recovery = true;
    expect_same_metrics(point, 13);
  }
}

TEST(SameMetrics, OfABulkTransfer) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kDeterministic);
  point.stop.warmup_s = 20;
  point.stop.duration_s = 100;
  point.probes.loss_cycles = point.probes.window_trace = true;
  expect_same_metrics(point, 14);
}

// Lognormal files and pauses, of an on-off source a connection each, and of a web user all over one; pauses
// of more than a second end in slow start. Packets count, the files of either or time.
TEST(SameMetrics, OfWebUsers) {
  using Workload = kit::Workload;
  for (const auto kind : {Workload::Kind::kOnOff, Workload::Kind::kHttp}) {
    for (const auto ends_at : {Workload::EndsAt::kSource, Workload::EndsAt::kDestination}) {
      for (const char* variant : {"newreno", "tahoe"}) {
        Point point = shared_network(60, 20);
        kit::SourceGroup& group = point.groups[0];
        group.tcp.variant = variant;
        group.workload = {.kind = kind,
                          .file_size = {.distribution = kit::FileSize::Distribution::kLognormal,
                                        .mean_packets = 14,
                                        .standard_deviation_packets = 20},
                          .off_time = {.distribution = kit::OffTime::Distribution::kLognormal,
                                       .mean_s = 0.7,
                                       .standard_deviation_s = 0.9},
                          .ends_at = kind == Workload::Kind::kHttp ? ends_at : Workload::EndsAt::kSource};
        if (kind == Workload::Kind::kHttp) {
          group.tcp.idle_restart_s = 1;
        }
        for (const kit::Stop& stop : {kit::Stop{.packets = 20'000, .warmup_packets = 3'000},
                                      kit::Stop{.connections = 1'000, .warmup_connections = 200}}) {
          SCOPED_TRACE(testing::Message()
                       << variant << ", http " << (kind == Workload::Kind::kHttp) << ", ends at "
                       << static_cast<int>(ends_at) << ", packets " << stop.packets);
          point.stop = stop;
          expect_same_metrics(point, 13);
        }
      }
    }
  }
}

// A run that stops with a packet sent.
TEST(SameMetrics, OfBulkTransfersUntilPacketsAreSent) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kPoisson);
  point.groups[0].tcp.rwnd_packets = 40;
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "far";
  point.groups[1].extra_delay_s = 0.0313;
  point.groups[1].workload.start_spread_s = 0.7;
  point.stop = {.packets = 8'000, .warmup_packets = 500};
  expect_same_metrics(point, 13);
}

// A run that stops with the transfer's last acknowledgement.
TEST(SameMetrics, OfATransferOfAGivenLength) {
  Point point = bulk_beside(kit::CrossTrafficSpec::Kind::kNone);
  point.dumbbell().bottleneck.loss_probability = 0.02;
  point.groups[0].tcp.variant = "newreno";
  point.groups[0].workload.file_size.mean_packets = 3000;
  point.stop.duration_s = 0;
  point.stop.connections = 1;
  point.probes.filter_log = true;
  expect_same_metrics(point, 35);
}

}  // namespace
}  // namespace tcp_atlas
