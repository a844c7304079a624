// Tahoe against sequences worked by hand from Altman, Bolot, Nain et al. 1997, equations 7 and 8, and
// Jacobson 1988.

#include "tcp/tahoe.hpp"

#include <gtest/gtest.h>

#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "script.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

// A transfer without end.
Script<Tahoe> bulk_script(Picoseconds tick = 0) {
  return {
      1'000'000,
      {.rwnd = 1000, .initial_window = 1, .min_rto = kSecond, .max_rto = 64 * kSecond, .clock_tick = tick}};
}

TEST(Tahoe, SlowStartSendsTwoForOne) {
  auto script = bulk_script();
  EXPECT_EQ(script.ack(2), (Packets{2, 3}));
  EXPECT_EQ(script.ack(3), (Packets{4, 5}));
  EXPECT_EQ(script.ack(4), (Packets{6, 7}));
  EXPECT_EQ(script.cwnd(), 4);
}

// Equation 8: the threshold is half of the window, the window one; only the lost packet is sent.
TEST(Tahoe, TripleDuplicateTakesTheWindowToOne) {
  auto script = bulk_script();
  script.ack_all_below(8);  // window 8: packets 8 to 15 are out
  ASSERT_EQ(script.cwnd(), 8);
  EXPECT_EQ(script.ack(8), Packets{});
  EXPECT_EQ(script.ack(8), Packets{});
  EXPECT_EQ(script.ack(8), Packets{8});
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 4);
  EXPECT_EQ(script.ack(8), Packets{});  // further duplicates change nothing
  EXPECT_EQ(script.cwnd(), 1);
}

// Four packets are sent at once and the first is lost: the other three tell of it. Jacobson 1988 and RFC
// 5681, 3.2, ask for three duplicates, whichever packet they are of.
TEST(Tahoe, LosesTheFirstPacketOfATransfer) {
  Script<Tahoe> script(1000, {.rwnd = 44, .initial_window = 4, .min_rto = kSecond, .max_rto = 64 * kSecond});
  EXPECT_EQ(script.started(), (Packets{1, 2, 3, 4}));
  EXPECT_EQ(script.ack(1), Packets{});   // from 2
  EXPECT_EQ(script.ack(1), Packets{});   // from 3
  EXPECT_EQ(script.ack(1), Packets{1});  // from 4
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 2);
  EXPECT_EQ(script.ack(5), (Packets{5, 6}));  // 2 to 4 had come
}

// The sender goes back: what it sent beyond the loss is sent again, unless the acknowledgement says that it
// came.
TEST(Tahoe, GoesBackToTheLoss) {
  auto script = bulk_script();
  script.ack_all_below(8);
  script.ack(8);
  script.ack(8);
  script.ack(8);
  EXPECT_EQ(script.ack(10), (Packets{10, 11}));  // 10 was lost too; 11 had come, and is sent again
  EXPECT_EQ(script.ack(16), (Packets{16, 17, 18}));
}

// Equation 7: 1/floor(W) for each acknowledgement once the window has reached the threshold.
TEST(Tahoe, GrowsByOneInAWindowOfAcknowledgements) {
  auto script = bulk_script();
  script.ack_all_below(8);
  script.ack(8);
  script.ack(8);
  script.ack(8);   // threshold 4
  script.ack(16);  // window 2
  script.ack(17);  // 3
  script.ack(18);  // 4: congestion avoidance from here
  std::vector<std::int32_t> windows;
  for (std::int32_t missing = 19; missing <= 28; ++missing) {
    script.ack(missing);
    windows.push_back(script.cwnd());
  }
  EXPECT_EQ(windows, (std::vector<std::int32_t>{4, 4, 4, 5, 5, 5, 5, 5, 6, 6}));
}

TEST(Tahoe, DuplicatesOfWhatWasSentAgainAreNoLoss) {
  auto script = bulk_script();
  script.ack_all_below(8);
  script.ack(8);
  script.ack(8);
  script.ack(8);
  script.ack(10);  // window 2; up to 15 was sent before the loss was found
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(10), Packets{});
  }
  EXPECT_EQ(script.cwnd(), 2);
}

TEST(Tahoe, TimeoutGoesBackTooAndDoublesTheTimer) {
  auto script = bulk_script();
  script.ack_all_below(8);
  EXPECT_EQ(script.timeout(), Packets{8});
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 4);
  EXPECT_EQ(script.sender.deadline() - script.now, 2000 * kMillisecond);
}

TEST(Tahoe, ThresholdIsAtLeastTwo) {
  auto script = bulk_script();
  script.timeout();
  EXPECT_EQ(script.ssthresh(), 2);
}

// BSD's timer: samples count ticks and one more, and the timer runs out on a tick.
TEST(Tahoe, TheTimerTicks) {
  const Picoseconds tick = 500 * kMillisecond;
  auto script = bulk_script(tick);
  script.ack(2);  // after 1 ms: one tick is seen, srtt 500 ms, rttvar 250 ms, so 1500 ms
  EXPECT_EQ(script.sender.rto(), 3 * tick);
  EXPECT_EQ(script.sender.deadline(), 3 * tick);
  script.now = 700 * kMillisecond;
  script.ack(3);  // 699 ms after it was sent, one tick between: two ticks are seen
  // srtt 500 + (1000 - 500) / 8, rttvar 250 + (500 - 250) / 4
  EXPECT_EQ(script.sender.rto(), Picoseconds{562'500'000'000} + 4 * Picoseconds{312'500'000'000});
  EXPECT_EQ(script.sender.deadline() % tick, 0);
  EXPECT_EQ(script.sender.deadline(), (1 + 4) * tick);  // 1812.5 ms are four ticks
}

// A window that the path holds runs without a queue: every round trip is the empty one, and a window goes in
// each.
TEST(Tahoe, AWindowBelowThePathNeverQueues) {
  const Point point = bulk_point();
  Dumbbell<Tahoe> dumbbell(point, 1);
  dumbbell.run_until(picoseconds(10));
  dumbbell.restart_measurements();
  dumbbell.run_until(picoseconds(110));
  const Measurements measured = dumbbell.measurements();
  const double packet_bits = 8.0 * point.packet_bytes;
  const double empty = 0.2 + packet_bits / point.groups[0].access.rate_bit_per_s +
                       packet_bits / point.bottleneck.rate_bit_per_s +
                       packet_bits / point.egress.rate_bit_per_s;
  EXPECT_NEAR(
      measured.packets.round_trip_ps / kPicosecondsPerSecond / static_cast<double>(measured.packets.carried),
      empty, 1e-11);
  EXPECT_NEAR(static_cast<double>(measured.packets.acknowledged),
              100 / empty * point.groups[0].tcp.rwnd_packets, 10);
}

}  // namespace
}  // namespace packetsim
