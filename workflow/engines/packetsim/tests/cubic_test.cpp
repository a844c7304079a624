// CUBIC's window against the cubic function of RFC 9438, section 4.2, for several C.

#include "tcp/cubic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr Picoseconds kRoundTrip = 100 * kMillisecond;

Cubic window_of(kit::CubicParameters own, std::int32_t initial) {
  Cubic cubic(kit::Tcp{.variant = "cubic", .rwnd_packets = 100'000, .own = own});
  cubic.start(initial, 2);  // in congestion avoidance
  return cubic;
}

// Acknowledges a window in each round trip from `now` to `end`; returns the window then.
double after(Cubic& cubic, Picoseconds now, Picoseconds end) {
  for (; now < end; now += kRoundTrip) {
    const std::int32_t window = cubic.window();
    for (std::int32_t packet = 0; packet < window; ++packet) {
      const Picoseconds spread = kRoundTrip / window * packet;
      cubic.on_ack({.now = now + spread, .round_trip = kRoundTrip, .acked = 1});
    }
  }
  return cubic.window();
}

class Growth : public testing::TestWithParam<double> {};

// W(t) = C (t - K)^3 + W_max with K = cbrt(0.3 W_max / C), before the plateau and behind it.
TEST_P(Growth, FollowsTheCubic) {
  constexpr double kMost = 5000;
  const double c = GetParam();
  Cubic cubic = window_of({.c = c}, static_cast<std::int32_t>(kMost));
  cubic.on_loss({});
  EXPECT_EQ(cubic.window(), 3500);
  const double k_s = std::cbrt(0.3 * kMost / c);
  Picoseconds now = 0;
  for (const double share : {0.25, 0.5, 1.0, 1.5, 2.0}) {
    const auto rounds = static_cast<std::int64_t>(share * k_s / kit::seconds(kRoundTrip));
    const double found = after(cubic, now, rounds * kRoundTrip);
    now = rounds * kRoundTrip;
    const double t_s = kit::seconds(now);
    EXPECT_NEAR(found, c * std::pow(t_s - k_s, 3) + kMost, 0.01 * kMost) << share;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryC, Growth, testing::Values(0.04, 0.4, 4.0));

// W_est grows by 3 (1 - 0.7) / (1 + 0.7) a round trip, or by one from the last window on (RFC 9438, 4.3).
TEST(RenoFriendly, GrowsAboveTheLastWindowAsTheRfcSays) {
  constexpr double kStart = 0.7 * 12, kSlow = 3 * 0.3 / 1.7;
  for (const bool full_pace : {false, true}) {
    Cubic cubic = window_of({.reno_at_full_pace = full_pace}, 12);
    cubic.on_loss({});
    const double fast = 12 + 20 - (12 - kStart) / kSlow, slow = kStart + 20 * kSlow;
    EXPECT_NEAR(after(cubic, 0, 2 * kSecond), full_pace ? fast : slow, 1.3);
  }
}

// A second loss at a smaller window: the plateau is there, or at (1 + 0.7) / 2 of it (section 4.7).
TEST(FastConvergence, LowersThePlateauOfAFlowThatShrinks) {
  for (const bool fast : {true, false}) {
    Cubic cubic = window_of({.fast_convergence = fast}, 5000);
    cubic.on_loss({});
    cubic.on_loss({});  // at 3500
    EXPECT_EQ(cubic.window(), 2450);
    const double plateau = fast ? 3500 * 0.85 : 3500;
    const double k_s = std::cbrt((plateau - 2450) / 0.4);
    const auto rounds = static_cast<std::int64_t>(k_s / kit::seconds(kRoundTrip));
    EXPECT_NEAR(after(cubic, 0, rounds * kRoundTrip), plateau, 10);
  }
}

// Sections 4.2 and 5.8: what a pause takes is no part of t, whether before the plateau or behind it.
TEST(Pause, IsNoPartOfTheTimeSinceTheLastLoss) {
  constexpr Picoseconds kPause = 100 * kSecond;
  for (const Picoseconds until : {2 * kSecond, 20 * kSecond}) {
    Cubic paused = window_of({}, 5000);
    Cubic other = window_of({}, 5000);
    for (Cubic* cubic : {&paused, &other}) {
      cubic->on_loss({});
      after(*cubic, 0, until);
    }
    paused.on_pause(until, until + kPause);
    EXPECT_EQ(after(paused, until + kPause, until + kPause + kSecond), after(other, until, until + kSecond));
  }
}

}  // namespace
}  // namespace packetsim
