// A user alone in a local loop, to the picosecond, against send times worked out by hand. Tests of each
// engine that simulates one: Engine::run(settings, packets) gives a LoneRun that has sent so many;
// Engine::kRecursion says whether lost packets are seen at once, as the max-plus recursion has it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/tests/loop_settings.hpp"

namespace kit::local_loop {

struct LoneRun {
  std::vector<double> sent_s;  // a double tells picoseconds apart for as long as these runs last
  std::int64_t sent, delivered, lost, in_flight;
  std::int64_t timeouts, idle_restarts;
  std::int64_t round_trips;
  double round_trip_s;
  std::int64_t bursts;
  double on_time_s, user_on_s;
  std::vector<Burst> downloads;
};

// Section 7.1: 12,000 bits over 10, 100, 1000, 100 and 10 Mbit/s, and 100 ms of propagation.
inline constexpr Picoseconds kLoneMillisecond = 1'000'000'000;
inline constexpr Picoseconds kSourceTime = 1'200'000'000;
inline constexpr Picoseconds kEmptyPath =
    (1200 + 120 + 12 + 120 + 1200) * 1'000'000LL + 100 * kLoneMillisecond;

inline Settings lone() {
  Settings settings = web_users(1);
  settings.workload.reset();
  settings.start_spread_s = 0;
  return settings;
}

inline Settings lone_web(double think_s) {
  Settings settings = lone();
  settings.workload = Workload{.burst_mean = 3, .burst_sd = 0, .think_mean_s = think_s, .think_sd_s = 0};
  return settings;
}

template <class Engine>
class LoneUser : public testing::Test {
 protected:
  static LoneRun run(const Settings& settings, std::size_t packets) {
    check(settings);
    LoneRun run = Engine::run(settings, static_cast<std::int64_t>(packets));
    run.sent_s.resize(packets);
    return run;
  }

  static void expect_sent(const Settings& settings, const std::vector<Picoseconds>& expected) {
    std::vector<double> expected_s(expected.size());
    std::ranges::transform(expected, expected_s.begin(), [](Picoseconds time) { return seconds(time); });
    EXPECT_EQ(run(settings, expected.size()).sent_s, expected_s);
  }
};
TYPED_TEST_SUITE_P(LoneUser);

// Flights of 1, 2, 4, ..., 32 and from then on 40 packets, each a round trip after the last, back to back.
TYPED_TEST_P(LoneUser, SendsInFlightsThatDoubleUpToTheLargestWindow) {
  std::vector<Picoseconds> expected;
  for (int round = 0, flight = 1; round < 12; ++round, flight = std::min(2 * flight, 40)) {
    for (int i = 0; i < flight; ++i) {
      expected.push_back(round * kEmptyPath + i * kSourceTime);
    }
  }
  this->expect_sent(lone(), expected);
}

// A window that the source cannot send in a round trip: it never stops. 128 packets take 154 ms, a round trip
// 103: the eighth flight has no end.
TYPED_TEST_P(LoneUser, SendsAtTheSourcesRateOnceTheWindowSpansTheRoundTrip) {
  Settings settings = lone();
  settings.tcp.max_window = 200;
  std::vector<Picoseconds> expected;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < (round < 7 ? 1 << round : 800); ++i) {
      expected.push_back(round * kEmptyPath + i * kSourceTime);
    }
  }
  this->expect_sent(settings, expected);
}

// The way back takes 4 s, longer than the first timeout of 3 s (RFC 2988): the packet is sent again then.
// With cumulative acknowledgements the first packet's lets two go; by the recursion, where the window of one
// is taken by the copy, the copy's.
TYPED_TEST_P(LoneUser, SendsAgainWhenTheTimerRunsOut) {
  for (const auto timer :
       {Readings::Timer::kPerPacket, Readings::Timer::kRestarted, Readings::Timer::kPerWindow}) {
    Settings settings = lone();
    settings.return_delay_s = 4;
    settings.readings.timer = timer;
    const Picoseconds again = 3000 * kLoneMillisecond;
    const Picoseconds third = kEmptyPath + 3940 * kLoneMillisecond + (TypeParam::kRecursion ? again : 0);
    this->expect_sent(settings, {0, again, third, third + kSourceTime});
    EXPECT_EQ(this->run(settings, 4).timeouts, 1);
  }
}

// Bursts of 3 packets: one alone, two after its acknowledgement. After a pause of more than 10 s it begins so
// again, after a shorter one with the window that the last burst left.
TYPED_TEST_P(LoneUser, BeginsAgainInSlowStartAfterAnIdlenessOfTenSeconds) {
  for (const double think_s : {9.0, 11.0}) {
    Settings settings = lone_web(think_s);
    settings.readings.think_from_equilibrium = false;
    std::vector<Picoseconds> expected;
    Picoseconds start = picoseconds(think_s);
    for (int burst = 0; burst < 3; ++burst) {
      const bool slow = burst == 0 || think_s > 10;
      const Picoseconds second = slow ? kEmptyPath : kSourceTime;
      expected.insert(expected.end(), {start, start + second, start + second + kSourceTime});
      start = expected.back() + kEmptyPath + picoseconds(think_s);
    }
    this->expect_sent(settings, expected);
    EXPECT_EQ(this->run(settings, 9).idle_restarts, think_s > 10 ? 2 : 0);
  }
}

// A download that ends as its last packet arrives is shorter by the way back, and so comes the next one.
TYPED_TEST_P(LoneUser, IsOnUntilTheDownloadEnds) {
  for (const auto ends : {Readings::OnTimeEnd::kSource, Readings::OnTimeEnd::kDestination}) {
    Settings settings = lone_web(20);
    settings.readings.on_time_ends = ends;
    const LoneRun run = this->run(settings, 30);
    const bool at_source = ends == Readings::OnTimeEnd::kSource;
    const double on_s = seconds(2 * kEmptyPath + kSourceTime - (at_source ? 0 : 60 * kLoneMillisecond));
    EXPECT_NEAR(run.on_time_s, static_cast<double>(run.bursts) * on_s, 1e-9);
    EXPECT_NEAR(run.user_on_s, static_cast<double>(run.bursts) * on_s, 2 * on_s);
    const double arrival_s = seconds(2 * kEmptyPath + kSourceTime - 60 * kLoneMillisecond);
    for (const Burst& burst : run.downloads) {
      EXPECT_FLOAT_EQ(burst.arrival_s, static_cast<float>(arrival_s));
    }
  }
}

// A constant load of half of the backbone router leaves packets no wait; one that varies tenfold about its
// rate loses some on the way, and delays the others by no more than the 100 packets that its buffer holds.
TYPED_TEST_P(LoneUser, WaitsInTheBackboneAndLosesPacketsThere) {
  Settings settings = lone();
  settings.backbone = Backbone{.load = {.mean = 0.5, .sd = 0, .hurst = 0.5, .slot_s = 0.01, .period = 16},
                               .buffer_packets = 100};
  EXPECT_EQ(this->run(settings, 63).sent_s, this->run(lone(), 63).sent_s);
  settings.backbone->load.sd = 10;
  settings.backbone->load.mean = 1;
  const LoneRun run = this->run(settings, 1000);
  EXPECT_GT(run.lost, 0);
  EXPECT_EQ(run.sent, run.delivered + run.lost + run.in_flight);
  const double longest_s = seconds(kEmptyPath) + 100 * 12e-6 + 40 * seconds(kSourceTime);
  EXPECT_LE(run.round_trip_s, static_cast<double>(run.round_trips) * longest_s);
}

REGISTER_TYPED_TEST_SUITE_P(LoneUser, SendsInFlightsThatDoubleUpToTheLargestWindow,
                            SendsAtTheSourcesRateOnceTheWindowSpansTheRoundTrip,
                            SendsAgainWhenTheTimerRunsOut, BeginsAgainInSlowStartAfterAnIdlenessOfTenSeconds,
                            IsOnUntilTheDownloadEnds, WaitsInTheBackboneAndLosesPacketsThere);

}  // namespace kit::local_loop
