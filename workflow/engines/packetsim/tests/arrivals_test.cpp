// Files and pages that arrive by themselves, against queueing theory: processor sharing, Erlang's loss
// formula.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "kit/main/run.hpp"
#include "kit/tests/closed_forms.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

constexpr double kPacket_s = 1e-5;  // 1000 B at 800 Mbit/s

// Files of 20 packets on a path that is all bottleneck: two packets in flight keep a source's queue busy.
Point arrivals_point(double load, FileSize size) {
  Point point = table_6_point(400, 1000);
  point.packet_bytes = 1000;
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 8e8, .delay_s = 0}, 0, 1000};
  point.dumbbell().bottleneck.queue = Bottleneck::Queue::kFairShared;
  point.dumbbell().egress = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.return_delay_s = 0;
  SourceGroup& group = point.groups[0];
  group.access = {.rate_bit_per_s = 1e12, .delay_s = 0};
  group.tcp.rwnd_packets = group.tcp.initial_window_packets = 2;
  group.workload = {.kind = Workload::Kind::kArrivals, .file_size = size, .load = load};
  point.probes.transfer_times = true;
  point.stop = {.connections = 200'000, .warmup_connections = 2'000};
  return point;
}

FileSize fixed(double packets) {
  return {.distribution = FileSize::Distribution::kFixed, .mean_packets = packets};
}

// Of a run by a variant, its metrics.
Json found(Point point, const std::string& variant) {
  for (SourceGroup& group : point.groups) {
    group.tcp.variant = variant;
  }
  return run_json(point, 1, simulate(point, 1), kEngine)["metrics"];
}
double value(const Json& metrics, const std::string& name) { return metrics.at(name).at("value"); }

class Arrivals : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Variants, Arrivals, testing::Values("newreno", "newreno-sack", "cubic"));

// M/G/1 processor sharing: load / (1 - load) files in the mean, whatever their sizes. Of an M/M/1 queue's
// mean number the standard error is the root of 2 load (1 + load) / ((1 - load)^4 n), n services; four of
// these are allowed, and a packet's service in 20, since packets are not divided.
TEST_P(Arrivals, ShareTheProcessorWhateverTheirSizes) {
  const FileSize exponential = {
      .distribution = FileSize::Distribution::kExponential, .mean_packets = 20, .minimum_packets = 1};
  const FileSize tail = {.distribution = FileSize::Distribution::kExponentialPareto,
                         .mean_packets = 20,
                         .minimum_packets = 1,
                         .tail_share = 0.1,
                         .tail_index = 2.5};
  for (const FileSize& size : {fixed(20), exponential, tail}) {
    constexpr double kLoad = 0.6;
    const Json metrics = found(arrivals_point(kLoad, size), GetParam());
    const double error = std::sqrt(2 * kLoad * (1 + kLoad) / (std::pow(1 - kLoad, 4) * 200'000 / kLoad));
    const double expected = kLoad / (1 - kLoad);
    EXPECT_NEAR(value(metrics, "active_mean"), expected, 4 * error + expected / 20);
    EXPECT_NEAR(value(metrics, "utilisation"), kLoad, 0.01);
    EXPECT_EQ(value(metrics, "loss_ratio"), 0);
    EXPECT_EQ(value(metrics, "refused_ratio"), 0);
  }
}

// A file takes its own transmission time over what is left of the link, beside larger ones too.
TEST_P(Arrivals, TakeAsLongAsTheirSizeSays) {
  Point point = arrivals_point(0.3, fixed(20));
  point.groups.push_back(point.groups[0]);
  point.groups[0].name = "small";
  point.groups[1].name = "large";
  point.groups[1].workload.file_size = fixed(400);
  const Json metrics = found(point, GetParam());
  EXPECT_NEAR(value(metrics, "on_time[small]") / (20 * kPacket_s / 0.4), 1, 0.06);
  EXPECT_NEAR(value(metrics, "on_time[large]") / (400 * kPacket_s / 0.4), 1, 0.06);
  EXPECT_NEAR(value(metrics, "slowdown_mean[large]"), 1 / 0.4, 0.06 / 0.4);
  EXPECT_FALSE(metrics.contains("fairness_index"));
}

// A window of a packet on a long path: a file takes as many round trips as it has packets and meets no other,
// so that some of ten sources are busy as Erlang's formula says, whatever the sizes.
TEST_P(Arrivals, AreRefusedAsErlangSays) {
  Point point = arrivals_point(0.005, fixed(5));
  point.return_delay_s = 0.016;
  point.groups[0].count = 10;
  point.groups[0].tcp.rwnd_packets = point.groups[0].tcp.initial_window_packets = 1;
  point.stop = {.connections = 400'000};
  const double offered =
      0.005 / (5 * kPacket_s) * 5 * (0.016 + kPacket_s);  // files at once, if none were refused
  double blocked = 1;
  for (int sources = 1; sources <= 10; ++sources) {
    blocked = offered * blocked / (sources + offered * blocked);
  }
  const Json metrics = found(point, GetParam());
  EXPECT_NEAR(value(metrics, "refused_ratio") / blocked, 1, 0.04);
  EXPECT_NEAR(value(metrics, "active_mean"), offered * (1 - blocked), 0.02 * offered);
}

// Hardly any meets another: a round trip, and a transmission for each further packet.
TEST_P(Arrivals, TakeTheLeastTimeAlone) {
  Point point = arrivals_point(0.001, fixed(20));
  point.return_delay_s = 0.01;
  point.groups[0].tcp.rwnd_packets = point.groups[0].tcp.initial_window_packets = 30;
  point.stop = {.connections = 1'000};
  const Json metrics = found(point, GetParam());
  EXPECT_NEAR(value(metrics, "transfer_time[50]"), 0.01 + 20 * kPacket_s, 3e-8);
  EXPECT_NEAR(value(metrics, "slowdown[50]"), 1, 1e-6);
  EXPECT_NEAR(value(metrics, "slowdown[95]"), 1, 1e-6);
}

// Two rounds of three objects of a packet each: the three queue for one another in the first.
TEST_P(Arrivals, PagesGoOverTheirConnections) {
  Point point = arrivals_point(0.0001, fixed(1));
  point.return_delay_s = 0.01;
  point.groups[0].workload.page = {.objects = 6, .connections = 3};
  point.stop = {.connections = 6'000};
  const Json metrics = found(point, GetParam());
  EXPECT_NEAR(value(metrics, "page_time[50]"), 2 * (0.01 + kPacket_s) + 2 * kPacket_s, 1e-7);
  EXPECT_NEAR(value(metrics, "page_time[95]"), 2 * (0.01 + kPacket_s) + 2 * kPacket_s, 1e-7);
  EXPECT_NEAR(value(metrics, "utilisation"), 0.0001, 1e-5);
}

}  // namespace
}  // namespace packetsim
