// Receivers that acknowledge every second packet (RFC 1122, 4.2.3.2; RFC 5681, 4.2): connections of a few
// packets against times worked by hand, to the picosecond.

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>

#include "kit/tests/points.hpp"
#include "loops.hpp"
#include "run/simulate.hpp"
#include "tcp/variants.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr Picoseconds kDelay = 200 * kMillisecond;

// The first packet of a burst takes this long to the receiver; the next ones follow a transmission of the
// slowest link, the egress link, apart.
struct Times {
  Picoseconds there;
  Picoseconds gap;
  Picoseconds back;
};

Times times_of(const Point& point) {
  const auto transmission = [&](double rate) { return transmission_time(point.packet_bytes, rate); };
  const kit::Dumbbell& links = point.dumbbell();
  const Picoseconds gap = transmission(links.egress.rate_bit_per_s);
  return {.there = transmission(point.groups[0].access.rate_bit_per_s) +
                   transmission(links.bottleneck.rate_bit_per_s) + picoseconds(links.bottleneck.delay_s) +
                   gap,
          .gap = gap,
          .back = picoseconds(point.return_delay_s)};
}

Point delayed_point(std::int32_t file, std::int32_t quick_acks = 0) {
  Point point = isolated_point(table_6_point(1, 1000), file);
  point.groups[0].tcp.delayed_ack = kit::DelayedAck{.packets = 2, .timeout_s = 0.2, .quick_acks = quick_acks};
  return point;
}

class DelayedAcks : public testing::TestWithParam<const char*> {
 protected:
  static Picoseconds on_time(Point point) {
    point.groups[0].tcp.variant = GetParam();
    point.stop = {.connections = 1};
    const Measurements measured = simulate(point, 1);
    EXPECT_EQ(measured.counters.packets_sent, measured.counters.packets_delivered);
    return static_cast<Picoseconds>(measured.connections.duration);
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, DelayedAcks, testing::Values("newreno", "newreno-sack"));

// The initial window is 2: both packets are acknowledged together, when the second has come.
TEST_P(DelayedAcks, AnswerTwoPacketsTogether) {
  const Point point = delayed_point(2);
  const auto [there, gap, back] = times_of(point);
  EXPECT_EQ(on_time(point), there + gap + back);
}

// The third packet comes alone and waits for the receiver's timer.
TEST_P(DelayedAcks, AnswerALonePacketAfterTheDelay) {
  const Point point = delayed_point(3);
  const auto [there, gap, back] = times_of(point);
  EXPECT_EQ(on_time(point), (there + gap + back) + (there + kDelay + back));
}

// One acknowledgement in slow start makes the window 3: packets 3 to 5, of which the last one waits.
TEST_P(DelayedAcks, LetTheWindowGrowByOneForTwoPackets) {
  const Point point = delayed_point(5);
  const auto [there, gap, back] = times_of(point);
  EXPECT_EQ(on_time(point), (there + gap + back) + (there + 2 * gap + kDelay + back));
}

// Packets 3 to 5 go out together; the acknowledgement of 3 and 4 lets 6 to 8 go (the window is 4), of which 6
// sets packet 5's free; then 7 and 8 are answered together.
TEST_P(DelayedAcks, GoOnWithThePacketThatWaits) {
  const Point point = delayed_point(8);
  const auto [there, gap, back] = times_of(point);
  EXPECT_EQ(on_time(point), (there + gap + back) + (there + gap + back) + (there + 2 * gap + back));
}

// As many packets as that are answered one by one.
TEST_P(DelayedAcks, BeginWithQuickAcknowledgements) {
  const Point point = delayed_point(3, 3);
  const auto [there, gap, back] = times_of(point);
  EXPECT_EQ(on_time(point), (there + back) + (there + back));
}

// The same of a user alone in a local loop, whose own links are the slowest ones.
template <class Variant>
class DelayedAcksInALoop : public testing::Test {
 protected:
  static constexpr Picoseconds kThere = (1200 + 120 + 12 + 120 + 1200) * 1'000'000LL + 40 * kMillisecond;
  static constexpr Picoseconds kGap = 1'200'000'000;
  static constexpr Picoseconds kBack = 60 * kMillisecond;

  // Of a file.
  static double on_time_s(std::int32_t packets, std::int32_t quick_acks = 0) {
    LoopSettings settings = web_users(1);
    settings.workload = kit::local_loop::Workload{
        .burst_mean = static_cast<double>(packets), .burst_sd = 0, .think_mean_s = 5, .think_sd_s = 0};
    const kit::Tcp tcp{
        .rwnd_packets = 40,
        .initial_window_packets = 2,
        .min_rto_s = 1,
        .max_rto_s = 64,
        .delayed_ack = kit::DelayedAck{.packets = 2, .timeout_s = 0.2, .quick_acks = quick_acks}};
    using Connection = AcknowledgedConnection<Variant>;
    LocalLoop<Connection, LoopQueue<false>> loop(settings, Connection::rules(tcp, 160 * kMillisecond), 1);
    loop.run_until_sent(packets + 1);
    const Measurements measured = loop.measurements();
    EXPECT_EQ(measured.counters.packets_delivered, packets);
    return measured.loop->sums.on_time_s;
  }
};
using Both = testing::Types<NewReno, RenoWindow>;
TYPED_TEST_SUITE(DelayedAcksInALoop, Both);

TYPED_TEST(DelayedAcksInALoop, TakeTheTimesOfADumbbell) {
  const Picoseconds pair = this->kThere + this->kGap + this->kBack;
  EXPECT_EQ(this->on_time_s(2), seconds(pair));
  EXPECT_EQ(this->on_time_s(3), seconds(pair + this->kThere + kDelay + this->kBack));
  EXPECT_EQ(this->on_time_s(5), seconds(pair + this->kThere + 2 * this->kGap + kDelay + this->kBack));
  EXPECT_EQ(this->on_time_s(8), seconds(2 * pair + this->kThere + 2 * this->kGap + this->kBack));
  EXPECT_EQ(this->on_time_s(3, 3), seconds(2 * (this->kThere + this->kBack)));
}

}  // namespace
}  // namespace packetsim
