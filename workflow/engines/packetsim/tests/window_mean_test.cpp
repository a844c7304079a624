// The time average of the window, without what a recovery adds to it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kit/main/run.hpp"
#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

constexpr std::int32_t kBuffer = 80;
constexpr std::int32_t kPath = 18;  // packets behind the bottleneck when an acknowledgement comes back
constexpr Picoseconds kMillisecond = 1'000'000'000;  // a packet's service

// One source without end on 1,000 packets/s. Packets come back as acknowledgements 18.5 ms after they have
// left the bottleneck.
Point lone_point(const std::string& variant) {
  Point point = bulk_point();
  point.packet_bytes = 1000;
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 8e6, .delay_s = 0}, 0, kBuffer};
  point.dumbbell().egress = {.rate_bit_per_s = 8e15, .delay_s = 0};
  point.return_delay_s = 0.0185;
  point.groups[0].access = {.rate_bit_per_s = 8e15, .delay_s = 0};
  point.probes.window_mean = true;
  point.groups[0].tcp = {
      .variant = variant, .rwnd_packets = 4096, .initial_window_packets = 2, .min_rto_s = 1, .max_rto_s = 64};
  return point;
}

// A cycle of a window that grows by one packet for each window of acknowledgements, one a service, until a
// packet finds the buffer full. The path and the buffer hold c packets.
struct Sawtooth {
  std::int64_t services = 0;
  std::int64_t packet_services = 0;

  void at(std::int64_t window, std::int64_t time) {
    services += time;
    packet_services += window * time;
  }
  double mean() const { return static_cast<double>(packet_services) / static_cast<double>(services); }
};

// The packet that is lost is sent when the window becomes c + 1; c more arrive before it would have, and the
// third of those behind it starts the recovery. The packet sent again comes behind the c - 3 others under
// way, and its acknowledgement ends the recovery: RFC 6582, and slow start while the window is not above
// ssthresh.
Sawtooth newreno_sawtooth(std::int64_t c) {
  const std::int64_t half = (c + 1) / 2;
  Sawtooth cycle;
  cycle.at(c + 1, c + 3);
  cycle.at(half, c - 2);
  for (std::int64_t window = half + 1; window <= c; ++window) {
    cycle.at(window, window);
  }
  return cycle;
}

double measured_over(Point point, Picoseconds cycle) {
  point.stop = {.duration_s = seconds(cycle), .warmup_s = 400 * seconds(cycle) / 3};
  return simulate(point, 1).probes.metrics.front().value;
}

TEST(WindowMean, OfALoneSourceIsThatOfItsSawtooth) {
  const Sawtooth cycle = newreno_sawtooth(kPath + kBuffer);
  EXPECT_NEAR(measured_over(lone_point("newreno"), cycle.services * kMillisecond), cycle.mean(),
              1e-9 * cycle.mean());
}

// Groups whose windows stand still at what their receivers allow.
TEST(WindowMean, IsGivenOfEachGroupAndOfAllConnections) {
  Point point = lone_point("newreno");
  point.groups[0].tcp.rwnd_packets = 7;
  point.groups.push_back(point.groups[0]);
  point.groups[1].name = "others";
  point.groups[1].count = 3;
  point.groups[1].tcp.variant = "newreno-sack";
  point.groups[1].tcp.rwnd_packets = 3;
  point.stop.warmup_s = 10;
  const Json metrics = run_json(point, 1, simulate(point, 1), kEngine)["metrics"];
  EXPECT_NEAR(metrics["cwnd_mean[sources]"]["value"].get<double>(), 7, 1e-9);
  EXPECT_NEAR(metrics["cwnd_mean[others]"]["value"].get<double>(), 3, 1e-9);
  EXPECT_NEAR(metrics["cwnd_mean"]["value"].get<double>(), 4, 1e-9);
}

}  // namespace
}  // namespace packetsim
