// Tahoe by the sequences that all engines follow; its timer and a closed form.

#include "tcp/tahoe.hpp"

#include <gtest/gtest.h>

#include "kit/tests/points.hpp"
#include "kit/tests/tahoe_sequences.hpp"
#include "run/simulate.hpp"
#include "script.hpp"
#include "times.hpp"

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, TahoeSequences, packetsim::Script<packetsim::Tahoe>);
}  // namespace kit

namespace packetsim {
namespace {

TEST(Tahoe, ATimeoutDoublesTheTimer) {
  Script<Tahoe> script;
  script.timeout();
  EXPECT_EQ(script.sender.deadline() - script.now, 2 * kSecond);
}

// BSD's timer: samples count ticks and one more, and the timer runs out on a tick.
TEST(Tahoe, TheTimerTicks) {
  const Picoseconds tick = 500 * kMillisecond;
  Script<Tahoe> script(kFromOne, 1000, tick);
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
  Point point = bulk_point();
  point.stop = {.duration_s = 100, .warmup_s = 10};
  const Measurements measured = simulate(point, 1);
  const double packet_bits = 8.0 * point.packet_bytes;
  const double empty = 0.2 + packet_bits / point.groups[0].access.rate_bit_per_s +
                       packet_bits / point.dumbbell().bottleneck.rate_bit_per_s +
                       packet_bits / point.dumbbell().egress.rate_bit_per_s;
  EXPECT_NEAR(
      measured.packets.round_trip_ps / kPicosecondsPerSecond / static_cast<double>(measured.packets.carried),
      empty, 1e-11);
  EXPECT_NEAR(static_cast<double>(measured.packets.acknowledged),
              100 / empty * point.groups[0].tcp.rwnd_packets, 10);
}

}  // namespace
}  // namespace packetsim
