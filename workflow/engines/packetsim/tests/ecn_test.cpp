// Explicit congestion notification: who marks, who tells of it, and what the sender makes of it.

#include "tcp/ecn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "queues/make_queue.hpp"
#include "run/simulate.hpp"
#include "tcp/dctcp.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/sack_sender.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

// A sender of endless data with ten packets under way, all of whose packets arrive.
class Marked {
  auto sending() {
    return [this](std::int32_t, std::int64_t) { sent_.push_back(sender_.ecn_bits()); };
  }

 public:
  explicit Marked(bool ecn = true, bool linux_rules = false)
      : sender_(
            RenoWindow(kit::Tcp{.variant = "newreno-sack", .rwnd_packets = 100, .linux_rules = linux_rules}),
            limits(linux_rules), linux_rules ? Recovery::kPrr : Recovery::kRfc6675, ecn) {
    sender_.start(1000, 10, now_, sending());
  }

  // The next packet is acknowledged; returns the ECN bits of those sent on it.
  std::vector<std::uint32_t> ack(bool marked) {
    sent_.clear();
    now_ += kMillisecond;
    sender_.on_ack(acked_++, now_, sending(), marked);
    return std::exchange(sent_, {});
  }

  std::int32_t window() const { return sender_.window().window(); }

 private:
  static TcpLimits limits(bool linux_rules) {
    return {.rwnd = 100,
            .initial_window = 10,
            .min_rto = kSecond,
            .max_rto = 64 * kSecond,
            .marks_reduce_gradually = linux_rules};
  }

  SackSender<RenoWindow> sender_;
  Picoseconds now_ = 0;
  std::int64_t acked_ = 0;
  std::vector<std::uint32_t> sent_;
};

using Bits = std::vector<std::uint32_t>;

// RFC 3168, 6.1.2: a mark halves the window once; the first new packet after it says so. Ten packets are
// under way at the first mark, and the eleventh tells the receiver of it: no mark counts before that is
// acknowledged, and none lets the window grow. Six acknowledgements leave four packets under way, one less
// than the window.
TEST(Ecn, HalvesTheWindowOncePerWindow) {
  Marked sender;
  for (int packet = 1; packet <= 5; ++packet) {
    EXPECT_EQ(sender.ack(true), Bits{}) << packet;
    EXPECT_EQ(sender.window(), 5) << packet;
  }
  EXPECT_EQ(sender.ack(true), Bits{EcnBits::kCapable | EcnBits::kAnswer});
  for (int packet = 7; packet <= 10; ++packet) {
    EXPECT_EQ(sender.ack(true), Bits{EcnBits::kCapable}) << packet;
    EXPECT_EQ(sender.window(), 5) << packet;
  }
  EXPECT_EQ(sender.ack(true), Bits{});  // of the eleventh packet
  EXPECT_EQ(sender.window(), 2);
}

// Linux's tcp_enter_cwr: by PRR (RFC 9937, 6.2) five packets go out on ten acknowledgements, the first at
// once.
TEST(Ecn, HalvesTheWindowGraduallyByLinuxsRules) {
  Marked sender(true, true);
  std::vector<std::size_t> sent;
  for (int packet = 1; packet <= 10; ++packet) {
    sent.push_back(sender.ack(true).size());
  }
  EXPECT_EQ(sent, (std::vector<std::size_t>{1, 0, 1, 0, 1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(sender.ack(false).size(), 1U);  // of the eleventh packet: the sixth
  EXPECT_EQ(sender.window(), 5);
}

TEST(Ecn, IsNotUsedUnasked) {
  Marked sender(false);
  EXPECT_EQ(sender.ack(false), (Bits{0, 0}));
}

// Of ten packets the second is lost: the bits of what is sent again.
template <class Window>
std::uint32_t bits_of_what_is_sent_again(const kit::Tcp& tcp) {
  SackSender<Window> sender(Window(tcp),
                            {.rwnd = 100, .initial_window = 10, .min_rto = kSecond, .max_rto = 64 * kSecond},
                            Recovery::kRfc6675, true);
  std::uint32_t again = UINT32_MAX;
  std::int32_t highest = 0;
  const auto send = [&](std::int32_t packet, std::int64_t) {
    again = packet <= highest ? sender.ecn_bits() : again;
    highest = std::max(highest, packet);
  };
  sender.start(1000, 10, 0, send);
  for (const std::int64_t arrives : {0, 2, 3, 4}) {
    sender.on_ack(arrives, kMillisecond, send);
  }
  return again;
}

// RFC 3168, 6.1.5; Linux's DCTCP goes on (tcp_ecn_send).
TEST(Ecn, MarksWhatIsSentAgainOfLinuxsDctcpAlone) {
  const kit::Tcp tcp{.variant = "dctcp", .rwnd_packets = 100, .linux_rules = true};
  EXPECT_EQ(bits_of_what_is_sent_again<RenoWindow>(tcp), 0U);
  EXPECT_EQ(bits_of_what_is_sent_again<Dctcp>(tcp), 0U);
  EXPECT_EQ(bits_of_what_is_sent_again<DctcpLinux>(tcp), EcnBits::kCapable);
}

// RFC 3168, 6.1.3.
TEST(EcnReceiver, TellsOfAMarkUntilTheSenderHasReducedItsWindow) {
  EcnReceiver receiver(EcnEcho::kUntilReduced);
  const auto answer = [&](std::uint32_t number) {
    return static_cast<std::uint32_t>(receiver.answer(static_cast<std::int32_t>(number)));
  };
  EXPECT_EQ(answer(1), 1U);
  EXPECT_EQ(answer(2 | EcnBits::kMarked), 2 | EcnBits::kAnswer);
  EXPECT_EQ(answer(3), 3 | EcnBits::kAnswer);
  EXPECT_EQ(answer(4 | EcnBits::kMarked | EcnBits::kAnswer), 4 | EcnBits::kAnswer);
  EXPECT_EQ(answer(5), 5 | EcnBits::kAnswer);
  EXPECT_EQ(answer(6 | EcnBits::kAnswer), 6U);
  EXPECT_EQ(answer(7), 7U);
}

// RFC 8257, 3.2.
TEST(EcnReceiver, OfDctcpTellsOfEachMarkedPacket) {
  EcnReceiver receiver(EcnEcho::kEach);
  constexpr auto kMarkedOne = static_cast<std::int32_t>(1 | EcnBits::kMarked);
  EXPECT_TRUE(receiver.changes(kMarkedOne));
  EXPECT_EQ(static_cast<std::uint32_t>(receiver.answer(kMarkedOne)), 1 | EcnBits::kAnswer);
  EXPECT_FALSE(receiver.changes(kMarkedOne));
  EXPECT_TRUE(receiver.changes(2));
  EXPECT_EQ(receiver.answer(2), 2);
}

// RFC 8257, 3.3, by hand: of the ten packets of the first window three are marked; g is 1/16.
TEST(Dctcp, ReducesTheWindowByTheShareOfMarkedPackets) {
  Dctcp window;
  window.start(10, 8);
  window.count(1, false, 2, 11);  // the first window ends with the first acknowledgement
  EXPECT_DOUBLE_EQ(window.alpha(), 15.0 / 16);
  for (std::int32_t packet = 2; packet <= 11; ++packet) {
    window.count(1, packet <= 4, packet + 1, packet + 11);
  }
  EXPECT_DOUBLE_EQ(window.alpha(), 15.0 / 16 + (0.3 - 15.0 / 16) / 16);
  const double alpha = window.alpha();
  window.on_mark({});
  EXPECT_EQ(window.window(), static_cast<std::int32_t>(10 * (1 - alpha / 2)));
  window.start(10, 8);
  window.on_loss({});
  EXPECT_EQ(window.window(), 5);
}

// The least and the largest window that a source has once it swings.
struct Extremes : NoObserver {
  void window_moved(std::int32_t, const WindowView& view, Picoseconds now) {
    if (now > 20 * kSecond) {
      least = std::min(least, view.cwnd);
      most = std::max(most, view.cwnd);
    }
  }
  std::int32_t least = INT32_MAX;
  std::int32_t most = 0;
};

// Linux's alpha by hand, in 1,024ths, less a 16th of it (rounded down) a window: 540 after the tenth, 507
// after the next. A window of four loses its share of a half, rounded down: a packet, then none.
TEST(DctcpLinux, LosesWholePackets) {
  DctcpLinux window(kit::Tcp{.variant = "dctcp", .rwnd_packets = 100, .linux_rules = true});
  for (const auto& [windows, left] : {std::pair{10, 3}, {11, 4}}) {
    window.start(4, 2);
    for (int packet = 1; packet <= windows; ++packet) {
      window.count(1, false, packet + 1, packet + 1);
    }
    window.on_mark({});
    EXPECT_EQ(window.window(), left);
  }
}

class LoneDctcp : public testing::TestWithParam<std::int32_t> {};

// Alizadeh et al. 2010, section 3.3: the window swings between (W + 1) (1 - a / 2) and W + 1, where W is the
// path's packets and the threshold's and the share of marked packets a follows from
// a^2 (1 - a / 4) = (2 W + 1) / (W + 1)^2.
TEST_P(LoneDctcp, SwingsAsTheClosedFormSays) {
  Point point = bulk_point();
  const std::int32_t threshold = GetParam();
  point.packet_bytes = 1000;
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 80e6, .delay_s = 0}, 0, 1000};
  point.dumbbell().bottleneck.target_s = threshold * 1e-4;
  point.dumbbell().bottleneck.rules_of_linux = false;
  point.dumbbell().egress = {.rate_bit_per_s = 8e15, .delay_s = 0};
  point.return_delay_s = 0.00995;
  point.groups[0].access = {.rate_bit_per_s = 8e15, .delay_s = 0};
  point.groups[0].tcp = {.variant = "dctcp",
                         .rwnd_packets = 4096,
                         .initial_window_packets = 10,
                         .min_rto_s = 1,
                         .max_rto_s = 64};
  Dumbbell<Dctcp, Extremes, StepQueue> dumbbell(point, 1);
  dumbbell.run_until(60 * kSecond);
  const double w = 100.5 + threshold;
  double alpha = 0;
  for (int step = 0; step < 100; ++step) {
    alpha = std::sqrt((2 * w + 1) / ((w + 1) * (w + 1)) / (1 - alpha / 4));
  }
  EXPECT_EQ(dumbbell.measurements().counters.packets_dropped, 0);
  EXPECT_NEAR(dumbbell.observer().most, w + 1, 1.5);
  EXPECT_NEAR(dumbbell.observer().least, (w + 1) * (1 - alpha / 2), 2.5);
}

INSTANTIATE_TEST_SUITE_P(Thresholds, LoneDctcp, testing::Values(20, 65, 200));

// Four transfers over 10 Mbit/s and 50 ms, which a buffer of 200 packets does not let down.
Point four_transfers(const char* variant, kit::Queue queue, std::optional<bool> ecn) {
  Point point = table_6_point(4, 200);
  point.groups[0].workload = {
      .kind = Workload::Kind::kBulk, .file_size = {.mean_packets = INT32_MAX - 1}, .start_spread_s = 0.1};
  point.groups[0].tcp.variant = variant;
  point.groups[0].tcp.rwnd_packets = 1000;
  point.groups[0].tcp.ecn = ecn;
  point.dumbbell().bottleneck.queue = queue;
  point.dumbbell().egress.rate_bit_per_s = 1e9;
  point.stop = {.duration_s = 60, .warmup_s = 20};
  return point;
}

class EcnBehind : public testing::TestWithParam<kit::Queue> {};

// Every queue marks in place of dropping, and senders slow down as they do for drops.
TEST_P(EcnBehind, PacketsAreMarkedAndNoneIsDropped) {
  for (const char* variant : {"newreno-sack", "cubic"}) {
    const Measurements without = simulate(four_transfers(variant, GetParam(), false), 1);
    const Measurements with = simulate(four_transfers(variant, GetParam(), true), 1);
    EXPECT_GT(without.queue_drops, 20) << variant;
    EXPECT_EQ(with.queue_drops, 0) << variant;
    EXPECT_GT(static_cast<double>(with.packets.acknowledged),
              0.95 * static_cast<double>(without.packets.acknowledged))
        << variant;
  }
}

// A queue that may not mark drops, as it does without ECN: every packet goes the same way.
TEST_P(EcnBehind, AQueueThatMayNotMarkDrops) {
  Point point = four_transfers("cubic", GetParam(), true);
  point.dumbbell().bottleneck.ecn = false;
  const Measurements with = simulate(point, 1);
  const Measurements without = simulate(four_transfers("cubic", GetParam(), false), 1);
  EXPECT_EQ(with.counters.packets_sent, without.counters.packets_sent);
  EXPECT_EQ(with.counters.events, without.counters.events);
  EXPECT_EQ(with.queue_drops, without.queue_drops);
}

INSTANTIATE_TEST_SUITE_P(Queues, EcnBehind,
                         testing::Values(kit::Queue::kCodel, kit::Queue::kFqCodel, kit::Queue::kPie,
                                         kit::Queue::kRed));

TEST(Ecn, ChangesNothingBehindADropTailQueue) {
  const auto with = simulate(four_transfers("cubic", kit::Queue::kDropTail, true), 1);
  const auto without = simulate(four_transfers("cubic", kit::Queue::kDropTail, {}), 1);
  EXPECT_GT(with.queue_drops, 20);
  EXPECT_EQ(with.counters.packets_sent, without.counters.packets_sent);
  EXPECT_EQ(with.counters.events, without.counters.events);
}

TEST(Ecn, IsRefusedWithoutSelectiveAcknowledgements) {
  EXPECT_THROW(simulate(four_transfers("newreno", kit::Queue::kCodel, true), 1), Unsupported);
}

}  // namespace
}  // namespace packetsim
