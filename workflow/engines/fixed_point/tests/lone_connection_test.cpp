// A connection alone on its path, to the picosecond, against send times worked out by hand.

#include <gtest/gtest.h>

#include <vector>

#include "simulation.hpp"

namespace fixed_point {
namespace {

constexpr Picoseconds kMillisecond = 1'000'000'000;
constexpr Picoseconds kSecond = 1000 * kMillisecond;

// Section 7.1: 12,000 bits over 10, 100, 1000, 100 and 10 Mbit/s and 100 ms of propagation.
constexpr Picoseconds kSourceTime = 1'200'000'000;
constexpr Picoseconds kRoundTrip = (1200 + 120 + 12 + 120 + 1200) * 1'000'000LL + 100 * kMillisecond;

Settings lone() {
  Settings settings = local_loop(50);
  settings.users = settings.references = 1;
  settings.workload.reset();
  settings.start_spread_s = 0;
  return settings;
}

std::vector<Picoseconds> send_times(const Settings& settings, std::int64_t packets) {
  check(settings);
  std::vector<Picoseconds> times;
  Simulation simulation(settings, 1, {.sent = [&](std::size_t, std::int64_t number, Picoseconds time) {
                          times.push_back(time);
                          EXPECT_EQ(number, static_cast<std::int64_t>(times.size()));
                        }});
  simulation.run_packets(packets);
  times.resize(static_cast<std::size_t>(packets));
  return times;
}

// Flights of 1, 2, 4, ..., 32 and from then on 40 packets, each a round trip after the last, sent back to
// back.
TEST(LoneConnection, SendsInFlightsThatDoubleUpToTheLargestWindow) {
  std::vector<Picoseconds> expected;
  for (int round = 0, flight = 1; round < 12; ++round, flight = std::min(2 * flight, 40)) {
    for (int i = 0; i < flight; ++i) {
      expected.push_back(round * kRoundTrip + i * kSourceTime);
    }
  }
  EXPECT_EQ(send_times(lone(), static_cast<std::int64_t>(expected.size())), expected);
}

// A window that the source cannot send in a round trip: it never stops.
TEST(LoneConnection, SendsAtTheSourcesRateOnceTheWindowSpansTheRoundTrip) {
  Settings settings = lone();
  settings.tcp.max_window = 200;
  std::vector<Picoseconds> expected;
  // 128 packets take 154 ms, a round trip 103: the eighth flight has no end.
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < (round < 7 ? 1 << round : 1000); ++i) {
      expected.push_back(round * kRoundTrip + i * kSourceTime);
    }
  }
  EXPECT_EQ(send_times(settings, static_cast<std::int64_t>(expected.size())), expected);
}

// The way back takes 4 s, longer than the first RTO of 3 s: the packet is sent again after 3 s, and the next
// two go when that copy's acknowledgement comes, because the first one's leaves a window of one full.
TEST(LoneConnection, SendsAgainWhenTheTimerRunsOut) {
  for (const auto timer : {Readings::Timer::kPerPacket, Readings::Timer::kRestarted}) {
    Settings settings = lone();
    settings.return_delay_s = 4;
    settings.readings.timer = timer;
    const Picoseconds round_trip = kRoundTrip + 4 * kSecond - 60 * kMillisecond;
    const Picoseconds third = 3 * kSecond + round_trip;
    EXPECT_EQ(send_times(settings, 4),
              (std::vector<Picoseconds>{0, 3 * kSecond, third, third + kSourceTime}));
    Simulation simulation(settings, 1);
    simulation.run_packets(4);
    const PacketCounts packets = simulation.measured().packets;
    EXPECT_EQ(packets.timeouts, 1);
    EXPECT_EQ(packets.delivered, 2);
    EXPECT_EQ(packets.useful, 1);
  }
}

TEST(Rto, CountsInTicksAndNeverBelowTwo) {
  const RtoLimits limits{.tick = kSecond / 2, .min = kSecond};
  Rto rto;
  EXPECT_EQ(rto.value(limits), 3 * kSecond);
  rto.sample(100 * kMillisecond);  // 100 + 4 * 50 ms
  EXPECT_EQ(rto.value(limits), kSecond);
  rto.back_off();
  EXPECT_EQ(rto.value(limits), 2 * kSecond);
  rto.sample(900 * kMillisecond);  // srtt 200, variation 50 + 750 / 4 = 237.5: 1150 ms
  EXPECT_EQ(rto.value(limits), 3 * kSecond / 2);
}

// Bursts of 3 packets: one alone, two after its acknowledgement. After a pause of more than 10 s it begins so
// again, after a shorter one with the window that the last burst left.
TEST(LoneConnection, BeginsAgainInSlowStartAfterAnIdlenessOfTenSeconds) {
  for (const double think_s : {9.0, 11.0}) {
    Settings settings = lone();
    settings.workload = Workload{.burst_mean = 3, .burst_sd = 0, .think_mean_s = think_s, .think_sd_s = 0};
    const std::vector<Picoseconds> times = send_times(settings, 9);
    const Picoseconds think = picoseconds(think_s);
    std::vector<Picoseconds> expected;
    Picoseconds start = times[0];
    for (int burst = 0; burst < 3; ++burst) {
      const bool slow = burst == 0 || think_s > 10;
      for (const Picoseconds after : {Picoseconds{0}, slow ? kRoundTrip : kSourceTime,
                                      slow ? kRoundTrip + kSourceTime : 2 * kSourceTime}) {
        expected.push_back(start + after);
      }
      start = expected.back() + kRoundTrip + think;
    }
    EXPECT_EQ(times, expected) << think_s;
    Simulation simulation(settings, 1);
    simulation.run_packets(9);
    EXPECT_EQ(simulation.measured().packets.idle_restarts, think_s > 10 ? 2 : 0);
  }
}

// The backbone's load delays a packet by the wait that it finds, and what finds it full is lost. The load is
// constant, so that the wait is: none below capacity.
TEST(LoneConnection, FindsTheBackboneFullWhereLoadExceedsIt) {
  Settings settings = lone();
  settings.backbone = Backbone{.load = {.mean = 0.5, .sd = 0, .hurst = 0.5, .slot_s = 0.01, .period = 16},
                               .buffer_packets = 100};
  EXPECT_EQ(send_times(settings, 63), send_times(lone(), 63));
  settings.backbone->load.sd = 10;  // slots of ten times what the router can do, either way
  settings.backbone->load.mean = 1;
  Simulation simulation(settings, 1);
  simulation.run_packets(1000);
  const Measured measured = simulation.measured();
  EXPECT_GT(measured.packets.lost, 0);
  EXPECT_EQ(measured.references.losses, 0);
  EXPECT_EQ(measured.packets.sent,
            measured.packets.delivered + measured.packets.lost + simulation.in_flight());
  // 100 packets of 12 us wait at most.
  EXPECT_LE(measured.packets.round_trip_s,
            static_cast<double>(measured.packets.round_trips) * (seconds(kRoundTrip) + 100 * 12e-6 + 0.06));
}

}  // namespace
}  // namespace fixed_point
