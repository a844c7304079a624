// A user alone in a local loop, to the picosecond, against send times worked out by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <vector>

#include "loop_settings.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

// Section 7.1: 12,000 bits over 10, 100, 1000, 100 and 10 Mbit/s, and 100 ms of propagation.
constexpr Picoseconds kSourceTime = 1'200'000'000;
constexpr Picoseconds kEmptyPath = (1200 + 120 + 12 + 120 + 1200) * 1'000'000LL + 100 * kMillisecond;

LoopSettings lone() {
  LoopSettings settings = web_users(1);
  settings.workload.reset();
  settings.start_spread_s = 0;
  return settings;
}

// A double tells picoseconds apart for as long as these runs last.
template <class Loop>
std::vector<double> send_times(const LoopSettings& settings, std::size_t packets) {
  kit::local_loop::check(settings);
  Loop loop(settings, 1);
  loop.run_until_sent(static_cast<std::int64_t>(packets));
  std::vector<double> times = loop.measurements().sent.time_s;
  times.resize(packets);
  return times;
}

std::vector<double> in_seconds(const std::vector<Picoseconds>& times) {
  std::vector<double> result;
  std::ranges::transform(times, std::back_inserter(result), [](Picoseconds time) { return seconds(time); });
  return result;
}

template <class Loop>
class LoneUser : public testing::Test {};
using Loops = testing::Types<InformedLoop, RenoLoop>;
TYPED_TEST_SUITE(LoneUser, Loops);

// Flights of 1, 2, 4, ..., 32 and from then on 40 packets, each a round trip after the last, back to back.
TYPED_TEST(LoneUser, SendsInFlightsThatDoubleUpToTheLargestWindow) {
  std::vector<Picoseconds> expected;
  for (int round = 0, flight = 1; round < 12; ++round, flight = std::min(2 * flight, 40)) {
    for (int i = 0; i < flight; ++i) {
      expected.push_back(round * kEmptyPath + i * kSourceTime);
    }
  }
  EXPECT_EQ(send_times<TypeParam>(lone(), expected.size()), in_seconds(expected));
}

// A window that the source cannot send in a round trip: it never stops. 128 packets take 154 ms, a round trip
// 103: the eighth flight has no end.
TYPED_TEST(LoneUser, SendsAtTheSourcesRateOnceTheWindowSpansTheRoundTrip) {
  LoopSettings settings = lone();
  settings.tcp.max_window = 200;
  std::vector<Picoseconds> expected;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < (round < 7 ? 1 << round : 800); ++i) {
      expected.push_back(round * kEmptyPath + i * kSourceTime);
    }
  }
  EXPECT_EQ(send_times<TypeParam>(settings, expected.size()), in_seconds(expected));
}

// The way back takes 4 s, longer than the first timeout of 3 s (RFC 2988): the packet is sent again then.
TYPED_TEST(LoneUser, SendsAgainWhenTheTimerRunsOut) {
  LoopSettings settings = lone();
  settings.return_delay_s = 4;
  const std::vector<double> times = send_times<TypeParam>(settings, 3);
  EXPECT_EQ(times[0], 0);
  EXPECT_EQ(times[1], 3);
  // With cumulative acknowledgements the first packet's lets two go; by the recursion, where the window of
  // one is taken by the copy, the copy's.
  const Picoseconds answered = kEmptyPath + 4 * kSecond - 60 * kMillisecond;
  const bool recursion = std::is_same_v<TypeParam, InformedLoop>;
  EXPECT_EQ(times[2], seconds(answered + (recursion ? 3 * kSecond : 0)));
}

// Bursts of 3 packets: one alone, two after its acknowledgement. After a pause of more than 10 s it begins so
// again, after a shorter one with the window that the last burst left.
TYPED_TEST(LoneUser, BeginsAgainInSlowStartAfterAnIdlenessOfTenSeconds) {
  for (const double think_s : {9.0, 11.0}) {
    LoopSettings settings = lone();
    settings.workload =
        kit::local_loop::Workload{.burst_mean = 3, .burst_sd = 0, .think_mean_s = think_s, .think_sd_s = 0};
    settings.readings.think_from_equilibrium = false;
    std::vector<Picoseconds> expected;
    Picoseconds start = picoseconds(think_s);
    for (int burst = 0; burst < 3; ++burst) {
      const bool slow = burst == 0 || think_s > 10;
      const Picoseconds second = slow ? kEmptyPath : kSourceTime;
      expected.insert(expected.end(), {start, start + second, start + second + kSourceTime});
      start = expected.back() + kEmptyPath + picoseconds(think_s);
    }
    EXPECT_EQ(send_times<TypeParam>(settings, 9), in_seconds(expected)) << think_s;
    TypeParam loop(settings, 1);
    loop.run_until_sent(9);
    EXPECT_EQ(loop.measurements().sums.idle_restarts, think_s > 10 ? 2 : 0);
  }
}

// A download that ends as its last packet arrives is shorter by the way back, and so comes the next one.
TYPED_TEST(LoneUser, IsOnUntilTheDownloadEnds) {
  for (const auto ends : {Readings::OnTimeEnd::kSource, Readings::OnTimeEnd::kDestination}) {
    LoopSettings settings = lone();
    settings.workload =
        kit::local_loop::Workload{.burst_mean = 3, .burst_sd = 0, .think_mean_s = 20, .think_sd_s = 0};
    settings.readings.on_time_ends = ends;
    TypeParam loop(settings, 1);
    loop.run_until_sent(30);
    const LoopMeasurements measured = loop.measurements();
    const bool at_source = ends == Readings::OnTimeEnd::kSource;
    const double on_s = seconds(2 * kEmptyPath + kSourceTime - (at_source ? 0 : 60 * kMillisecond));
    EXPECT_NEAR(measured.sums.on_time_s, static_cast<double>(measured.bursts.size()) * on_s, 1e-9);
    EXPECT_NEAR(measured.sums.user_on_s, static_cast<double>(measured.bursts.size()) * on_s, 2 * on_s);
  }
}

// A constant load of half of the backbone router leaves packets no wait; one that varies tenfold about its
// rate loses some on the way, and delays the others by no more than the 100 packets that its buffer holds.
TYPED_TEST(LoneUser, WaitsInTheBackboneAndLosesPacketsThere) {
  LoopSettings settings = lone();
  settings.backbone = kit::local_loop::Backbone{
      .load = {.mean = 0.5, .sd = 0, .hurst = 0.5, .slot_s = 0.01, .period = 16}, .buffer_packets = 100};
  EXPECT_EQ(send_times<TypeParam>(settings, 63), send_times<TypeParam>(lone(), 63));
  settings.backbone->load.sd = 10;
  settings.backbone->load.mean = 1;
  TypeParam loop(settings, 1);
  loop.run_until_sent(1000);
  const LoopMeasurements measured = loop.measurements();
  EXPECT_GT(measured.counters.dropped, 0);
  EXPECT_EQ(measured.counters.sent,
            measured.counters.delivered + measured.counters.dropped + measured.counters.in_flight);
  const double longest_s = seconds(kEmptyPath) + 100 * 12e-6 + 40 * seconds(kSourceTime);
  EXPECT_LE(measured.sums.round_trip_s, static_cast<double>(measured.sums.carried) * longest_s);
}

}  // namespace
}  // namespace packetsim
