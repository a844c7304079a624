// CUBIC by Linux's rules: cuts as the kernel's windows show them, the cubic of RFC 9438, section 4.2, Reno's
// growth of RFC 8312, section 4.2, timeouts, and the ends of slow start.

#include "tcp/cubic_linux.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "tcp/dctcp.hpp"
#include "tcp/reno_window.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

CubicLinux linux_window(std::int32_t initial, std::int32_t ssthresh = 2) {
  CubicLinux cubic(kit::Tcp{.variant = "cubic", .rwnd_packets = 100'000, .linux_rules = true});
  cubic.start(initial, ssthresh);
  return cubic;
}

// Acknowledges a window in each round trip from `now` to `end`; returns the window then.
std::int32_t linux_after(CubicLinux& cubic, Picoseconds now, Picoseconds end, Picoseconds round_trip) {
  for (; now < end; now += round_trip) {
    const std::int32_t window = cubic.window();
    for (std::int32_t packet = 0; packet < window; ++packet) {
      cubic.on_ack({.now = now + round_trip / window * packet, .round_trip = round_trip, .acked = 1});
    }
  }
  return cubic.window();
}

// Windows at a loss and after it that the kernel (engine linux, Linux 6.1) showed of lone flows.
TEST(CubicLinux, CutsAsTheKernelDoes) {
  for (const auto& [before, then] : {std::pair{66, 46}, {125, 87}, {1683, 1178}, {1668, 1167}}) {
    CubicLinux cubic = linux_window(before);
    cubic.on_loss({});
    EXPECT_EQ(cubic.window(), then);
    EXPECT_EQ(cubic.ssthresh(), then);
  }
}

// W(t) = C (t - K)^3 + W_max with K = cbrt(0.3 W_max / C), t a round trip ahead.
TEST(CubicLinux, FollowsTheCubic) {
  constexpr double kMost = 5000;
  CubicLinux cubic = linux_window(5000);
  cubic.on_loss({});
  const double k_s = std::cbrt(0.3 * kMost / 0.4);
  constexpr Picoseconds kRoundTrip = 100 * kMillisecond;
  Picoseconds now = 0;
  for (const double share : {0.25, 0.5, 1.0, 1.5, 2.0}) {
    const auto rounds = static_cast<std::int64_t>(share * k_s / kit::seconds(kRoundTrip));
    const double found = linux_after(cubic, now, rounds * kRoundTrip, kRoundTrip);
    now = rounds * kRoundTrip;
    EXPECT_NEAR(found, 0.4 * std::pow(kit::seconds(now) - k_s, 3) + kMost, 0.01 * kMost) << share;
  }
}

// Short round trips: Reno's window grows by 3 (1 - 0.7) / (1 + 0.7) packets in each, above the last one's,
// too; 8/15 in the kernel's integers.
TEST(CubicLinux, GrowsAsRenoWhereThatIsFaster) {
  CubicLinux cubic = linux_window(20);
  cubic.on_loss({});
  EXPECT_EQ(cubic.window(), 14);
  EXPECT_NEAR(linux_after(cubic, 0, 40 * 5 * kMillisecond, 5 * kMillisecond), 14 + 40 * 8 / 15.0, 1.5);
}

// After a slow start that no loss ended the window grows by a twentieth of itself in a round trip at least.
TEST(CubicLinux, GrowsByATwentiethAfterASlowStartWithoutLoss) {
  CubicLinux cubic = linux_window(400, 400);
  EXPECT_NEAR(linux_after(cubic, 0, 10 * 20 * kMillisecond, 20 * kMillisecond), 400 * std::pow(1.05, 10), 8);
}

// RFC 6582 and tcp_enter_loss: ssthresh stays where the recovery has put it.
TEST(CubicLinux, ATimeoutInARecoveryDoesNotCutAgain) {
  CubicLinux cubic = linux_window(100);
  cubic.on_loss({.una = 10, .next = 110});
  cubic.on_timeout({.una = 10, .next = 120});
  EXPECT_EQ(cubic.window(), 1);
  EXPECT_EQ(cubic.ssthresh(), 70);
  cubic.on_timeout({.una = 10, .next = 120});
  EXPECT_EQ(cubic.ssthresh(), 70);
  cubic.limit(1);
  cubic.on_timeout({.una = 130, .next = 140});  // of later packets
  EXPECT_EQ(cubic.ssthresh(), 2);
}

TEST(CubicLinux, APauseIsNoPartOfTheTimeSinceTheLastLoss) {
  constexpr Picoseconds kPause = 100 * kSecond, kRoundTrip = 100 * kMillisecond;
  for (const Picoseconds until : {2 * kSecond, 20 * kSecond}) {
    CubicLinux paused = linux_window(5000);
    CubicLinux other = linux_window(5000);
    for (CubicLinux* cubic : {&paused, &other}) {
      cubic->on_loss({});
      linux_after(*cubic, 0, until, kRoundTrip);
    }
    paused.on_pause(until, until + kPause);
    EXPECT_EQ(linux_after(paused, until + kPause, until + kPause + kSecond, kRoundTrip),
              linux_after(other, until, until + kSecond, kRoundTrip));
  }
}

// A packet a round trip, whether each packet is acknowledged or every second one; RFC 5681 lets growth be
// half of it.
template <class Window>
class LinuxGrowth : public testing::Test {};
using RenoAndDctcp = testing::Types<RenoWindow, DctcpLinux>;
TYPED_TEST_SUITE(LinuxGrowth, RenoAndDctcp);

TYPED_TEST(LinuxGrowth, CountsPacketsByLinuxsRules) {
  for (const auto& [linux_rules, acked, grown] :
       {std::tuple{true, 1, 20}, {true, 2, 20}, {false, 1, 20}, {false, 2, 10}}) {
    TypeParam window(kit::Tcp{.variant = "any", .rwnd_packets = 1000, .linux_rules = linux_rules});
    window.start(40, 2);
    for (int round = 0; round < 20; ++round) {
      for (std::int32_t packets = window.window(); packets > 0; packets -= acked) {
        window.on_ack({.acked = acked});
      }
    }
    EXPECT_NEAR(window.window(), 40 + grown, 1) << linux_rules << acked;
  }
}

// Sends `packets` acknowledgements with a gap; returns how many came before slow start ended, or all.
int before_the_end(Picoseconds gap, Picoseconds least, Picoseconds round_trip, int packets) {
  HyStartLinux hystart;
  for (int packet = 0; packet < packets; ++packet) {
    const WindowEvent ack{.now = kSecond + gap * packet,
                          .round_trip = round_trip,
                          .acked = 1,
                          .una = 10 + packet,
                          .next = 1000};
    if (hystart.ends(ack, 16, least)) {
      return packet;
    }
  }
  return packets;
}

TEST(HyStartLinux, EndsWhereAcknowledgementsFillHalfOfARoundTrip) {
  // (100 + 1) / 2 ms in steps of a millisecond.
  EXPECT_EQ(before_the_end(kMillisecond, 100 * kMillisecond, 100 * kMillisecond, 200), 51);
  // More than 2 ms apart is no train.
  EXPECT_EQ(before_the_end(3 * kMillisecond, 100 * kMillisecond, 100 * kMillisecond, 200), 200);
}

// Eight samples, and a rise of an eighth, of 4 ms at least and of 16 ms at most.
TEST(HyStartLinux, EndsWhereTheRoundTripRises) {
  for (const auto& [least, rise] : {std::pair{8, 4}, {80, 10}, {400, 16}}) {
    const Picoseconds from = least * kMillisecond, by = rise * kMillisecond;
    EXPECT_EQ(before_the_end(3 * kMillisecond, from, from + by, 100), 100) << least;
    EXPECT_EQ(before_the_end(3 * kMillisecond, from, from + by + 1, 100), 8) << least;
  }
}

// hystart_update resets the round before it looks at the window: acknowledgements 0.15 ms apart, with a
// window of 16 from the tenth on, are more than half of 20 ms and the margin after the first with the 71st
// that follows it.
TEST(HyStartLinux, BeginsARoundHoweverSmallTheWindow) {
  HyStartLinux hystart;
  int packet = 0;
  const auto ends = [&] {
    const WindowEvent ack{.now = kSecond + packet * 3 * kMillisecond / 20,
                          .round_trip = 20 * kMillisecond,
                          .acked = 1,
                          .una = 1 + packet,
                          .next = 100};
    return hystart.ends(ack, packet < 9 ? 15 : 16, 20 * kMillisecond);
  };
  while (packet < 99 && !ends()) {
    ++packet;
  }
  EXPECT_EQ(packet, 71);
}

TEST(HyStartLinux, SaysNothingOfSmallWindows) {
  HyStartLinux hystart;
  for (int packet = 0; packet < 100; ++packet) {
    EXPECT_FALSE(hystart.ends({.now = kSecond, .round_trip = kSecond, .una = packet, .next = 100}, 15, 1));
  }
}

}  // namespace
}  // namespace packetsim
