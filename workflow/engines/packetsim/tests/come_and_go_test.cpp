// Sources that come and go, and how long a newcomer takes.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

constexpr double kRoundTrip_s = 0.1;
constexpr double kService_s = 0.001;  // 1000 B at 8 Mbit/s
constexpr double kOther_s = 8e-9;     // on each of the other links

// One source on a path that never queues: a window of 20 packets a round trip, from the first on.
Point lone_point(const std::string& variant) {
  Point point = bulk_point();
  point.packet_bytes = 1000;
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 8e6, .delay_s = 0.05}, 0, 1000};
  point.dumbbell().egress = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.return_delay_s = kRoundTrip_s - 0.05 - kService_s - 2 * kOther_s;
  point.groups[0].access = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.groups[0].tcp = {
      .variant = variant, .rwnd_packets = 20, .initial_window_packets = 20, .min_rto_s = 1, .max_rto_s = 64};
  point.stop = {.duration_s = 100};
  return point;
}

struct Found {
  Json metrics;
  Json counters;
  double of(const std::string& name) const { return metrics[name]["value"]; }
  std::int64_t sent() const { return counters["packets_sent"]; }
};

Found found(const Point& point) {
  const Json run = run_json(point, 1, simulate(point, 1), kEngine);
  return {run["metrics"], run["counters"]};
}

// Packets of 1500 B take 12 ns, not 8, on the other links.
constexpr double kTolerance_s = 2e-7;

class ComeAndGo : public testing::TestWithParam<const char*> {};

// A window is sent at once, and its packet i is back 0.1 s + (i - 1) ms later.
TEST_P(ComeAndGo, ALoneSourceSendsAWindowARoundTripWhileItIsThere) {
  Point point = lone_point(GetParam());
  point.groups[0].workload.start_s = 30;
  point.groups[0].workload.stop_s = 39.95;  // after 100 windows, the last of which is on its way
  const Found run = found(point);
  EXPECT_EQ(run.sent(), 100 * 20);
  EXPECT_NEAR(run.of("own_time"), 100 * kRoundTrip_s + 19 * kService_s, kTolerance_s);
  EXPECT_NEAR(run.of("goodput_own_time") * run.of("own_time"), 100 * 20, 1e-6);
  EXPECT_NEAR(run.of("goodput"), 100 * 20 / 100.0, 1e-9);
}

TEST_P(ComeAndGo, ATransferEndsByItself) {
  Point point = lone_point(GetParam());
  point.groups[0].workload.start_s = 12;
  point.groups[0].workload.transfer_packets = 70;
  point.groups[0].workload.file_size.mean_packets = 70;
  const Found run = found(point);
  EXPECT_EQ(run.sent(), 70);
  EXPECT_NEAR(run.of("own_time"), 4 * kRoundTrip_s + 9 * kService_s, kTolerance_s);
}

// From 10 to 10.95 s, from 30 to 30.95 s, from 50, 70 and 90 s.
TEST_P(ComeAndGo, OnceInAPeriod) {
  Point point = lone_point(GetParam());
  point.groups[0].workload.start_s = 10;
  point.groups[0].workload.stop_s = 10.95;
  point.groups[0].workload.period_s = 20;
  const Found run = found(point);
  EXPECT_EQ(run.sent(), 5 * 10 * 20);
  EXPECT_NEAR(run.of("own_time"), 5 * (10 * kRoundTrip_s + 19 * kService_s), 5 * kTolerance_s);
}

// The source is there for 2 s less what of its time is in the warm-up.
TEST_P(ComeAndGo, TheWarmUpIsLeftOut) {
  Point point = lone_point(GetParam());
  point.stop = {.duration_s = 20, .warmup_s = 11.05};
  point.groups[0].workload.start_s = 10;
  point.groups[0].workload.stop_s = 11.95;
  EXPECT_NEAR(found(point).of("own_time"), 0.95 + 19 * kService_s, kTolerance_s);
}

// What goes is no hindrance to what stays: the other source's packets are those that it sends alone.
TEST_P(ComeAndGo, TwoGroupsThatDoNotMeet) {
  Point point = lone_point(GetParam());
  point.groups.push_back(point.groups[0]);
  point.groups[0].name = "early";
  point.groups[0].workload.stop_s = 19.95;
  point.groups[1].name = "late";
  point.groups[1].workload.start_s = 60.05;
  const Found run = found(point);
  EXPECT_EQ(run.sent(), (200 + 400) * 20);
  EXPECT_NEAR(run.of("own_time[early]"), 20 + 19 * kService_s, kTolerance_s);
  EXPECT_NEAR(run.of("own_time[late]"), 39.95, kTolerance_s);
  // The last window is on its way; what the start sends reaches the bottleneck before the measurement.
  EXPECT_NEAR(run.of("goodput[late]"), 399 * 20 / (100 - 20 * kOther_s), 1e-9);
}

// A window that doubles each round trip from one packet on: packet 2^k is the first of round k, and is back
// after (k + 1) round trips; the last of round k at i - 2^k services more.
TEST_P(ComeAndGo, TimeToTheByteOfSlowStart) {
  Point point = lone_point(GetParam());
  point.packet_bytes = 1500;
  point.dumbbell().bottleneck.rate_bit_per_s = 12e6;
  point.groups[0].tcp.rwnd_packets = 1000;
  point.groups[0].tcp.initial_window_packets = 1;
  point.groups[0].workload.start_s = 5;
  point.probes.time_to_byte = true;
  point.stop = {.duration_s = 20};
  const Found run = found(point);
  const auto expected = [](double packet) {
    const double round = std::floor(std::log2(packet));
    return (round + 1) * kRoundTrip_s + (packet - std::exp2(round)) * kService_s;
  };
  EXPECT_NEAR(run.of("time_to_byte[1500]"), expected(1), kTolerance_s);
  EXPECT_NEAR(run.of("time_to_byte[15000]"), expected(10), kTolerance_s);
  EXPECT_NEAR(run.of("time_to_byte[150000]"), expected(100), kTolerance_s);
}

INSTANTIATE_TEST_SUITE_P(Variants, ComeAndGo,
                         testing::Values("newreno", "reno", "tahoe", "newreno-sack", "cubic"));

}  // namespace
}  // namespace packetsim
