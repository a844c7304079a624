// RACK-TLP (RFC 8985): by hand, and acknowledgement by acknowledgement against its pseudocode.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "kit/tests/sender_script.hpp"
#include "rack_script.hpp"
#include "tcp/rack_sender.hpp"
#include "tcp/sack_sender.hpp"
#include "times.hpp"

namespace packetsim::rack_tlp {
namespace {

constexpr Picoseconds kRoundTrip = 100 * kMillisecond;

// Never cut, so that all that is lost is sent again at once.
class OpenWindow : public WindowDefaults {
 public:
  explicit OpenWindow(std::int32_t window) : window_(window) {}
  void start(std::int32_t, std::int32_t) {}
  std::int32_t window() const { return window_; }
  std::int32_t ssthresh() const { return 0; }
  void on_ack(const WindowEvent&) {}
  void on_loss(const WindowEvent&) { ++losses; }
  void on_mark(const WindowEvent& event) { on_loss(event); }
  void on_recovered(std::int32_t, std::int32_t) {}
  void on_timeout(const WindowEvent&) { ++timeouts; }
  void limit(std::int32_t) {}

  int losses = 0;
  int timeouts = 0;

 private:
  std::int32_t window_;
};

// --- By hand ---

struct Sent {
  std::int32_t packet;
  Picoseconds at;
  bool operator==(const Sent&) const = default;
};

// Nothing but a round trip of 100 ms.
template <class Sender>
class Path {
  struct Packet {
    std::int64_t transmission;
    Picoseconds arrives;
  };

  auto sending() {
    return [this](std::int32_t packet, std::int64_t transmission) {
      sent.push_back({packet, now});
      if (!dropped_.contains(transmission)) {
        under_way_.push_back({transmission, now + kRoundTrip});
      }
    };
  }

 public:
  // The arguments of the sender's detection come last.
  template <class... Detection>
  Path(std::int32_t window, std::int32_t file, std::set<std::int64_t> dropped, Detection... detection)
      : sender(OpenWindow(window), limits(window, has_linux_timers(detection...)), Recovery::kRfc6675, false,
               detection...),
        dropped_(std::move(dropped)) {
    sender.start(file, 1000, now, sending());
  }

  // Runs until the file has arrived, or to the time given.
  void run(Picoseconds until = kNever) {
    while (!sender.done()) {
      const Picoseconds arrival = under_way_.empty() ? kNever : under_way_.front().arrives;
      if (std::min(arrival, sender.deadline()) > until) {
        return;
      }
      if (arrival <= sender.deadline()) {
        now = arrival;
        const std::int64_t transmission = under_way_.front().transmission;
        under_way_.pop_front();
        sender.on_ack(transmission, now, sending());
      } else {
        now = sender.deadline();
        if (!sender.release(now, sending())) {
          sender.on_timeout(now, sending());
        }
      }
    }
  }
  void resume(std::int32_t packets, Picoseconds at) {
    now = at;
    sender.resume(packets, now, sending());
  }

  Sender sender;
  std::vector<Sent> sent;
  Picoseconds now = 0;

 private:
  static TcpLimits limits(std::int32_t window, bool linux_timers) {
    return {.rwnd = 1000,
            .initial_window = window,
            .min_rto = kSecond + (linux_timers ? kMillisecond : 0),
            .max_rto = 64 * kSecond,
            .min_rto_above_srtt = linux_timers};
  }
  static bool has_linux_timers() { return false; }
  static bool has_linux_timers(const TailLossProbe::Margins& margins) { return margins.linux_timers; }

  std::set<std::int64_t> dropped_;
  std::deque<Packet> under_way_;
};

using RackPath = Path<RackSender<OpenWindow>>;
using CountingPath = Path<SackSender<OpenWindow>>;  // RFC 6675

constexpr Picoseconds ms(std::int64_t count) { return count * kMillisecond; }

// All but the tenth of ten packets have been acknowledged after a round trip, which is SRTT; the smallest RTO
// is 1 s.
TEST(RackTlp, RepairsALostLastPacketAfterTwoRoundTripsNotAfterATimeout) {
  RackPath with(10, 10, {9});
  with.run();
  EXPECT_EQ(with.sent.back(), (Sent{10, kRoundTrip + 2 * kRoundTrip}));
  EXPECT_EQ(with.now, kRoundTrip + 2 * kRoundTrip + kRoundTrip);
  EXPECT_EQ(with.sender.window().timeouts, 0);

  CountingPath without(10, 10, {9});
  without.run();
  EXPECT_EQ(without.now, kRoundTrip + kSecond + kRoundTrip);
  EXPECT_EQ(without.sender.window().timeouts, 1);
}

// FlightSize is one packet: the receiver may delay its acknowledgement (section 7.2). Of two it may not.
TEST(RackTlp, WaitsForADelayedAcknowledgementOfALonePacket) {
  constexpr TailLossProbe::Margins kDelayed = {.lone = ms(40)};
  RackPath lone(10, 10, {9}, kDelayed);
  lone.run();
  EXPECT_EQ(lone.sent.back(), (Sent{10, kRoundTrip + 2 * kRoundTrip + ms(40)}));
  RackPath two(10, 10, {8, 9}, kDelayed);
  two.run(ms(350));
  EXPECT_EQ(two.sent.back(), (Sent{10, kRoundTrip + 2 * kRoundTrip}));
}

// tcp_schedule_loss_probe of Linux 6.1: 200 ms for a lone packet, and otherwise 2 ms. A timer set at the end
// of a tick of 4 ms runs out a tick after its last whole one: 52 after 202 ms. 400 ms are 100 ticks, and the
// wheel has every eighth of these: from the 25th on it is the 128th.
TEST(RackTlp, ProbesAsLateAsLinux) {
  RackPath lone(10, 10, {9}, TailLossProbe::kLinux);
  lone.run();
  EXPECT_EQ(lone.sent.back(), (Sent{10, ms(128 * 4)}));
  RackPath two(10, 10, {8, 9}, TailLossProbe::kLinux);
  two.run(ms(350));
  EXPECT_EQ(two.sent.back(), (Sent{10, kRoundTrip + ms(52 * 4)}));
}

// Round trips of 100 ms that never vary: RFC 6298's timeout falls to its floor, or to the round trip; Linux's
// stays as far above the round trip as the floor is.
TEST(LinuxRto, IsAboveTheRoundTripByLinuxsFloor) {
  for (const auto& [as_linux, floor, then] : {std::tuple{false, ms(200), ms(200)},
                                              {true, ms(200), ms(300)},
                                              {false, ms(50), ms(100)},
                                              {true, ms(50), ms(150)}}) {
    const TcpLimits limits{.min_rto = floor, .max_rto = 64 * kSecond, .min_rto_above_srtt = as_linux};
    RtoEstimator rto;
    rto.start(limits);
    for (std::int32_t packet = 1; packet <= 200; ++packet) {
      rto.sent_new(packet, packet * kRoundTrip);
      EXPECT_EQ(rto.acknowledged(packet + 1, (packet + 1) * kRoundTrip, limits), kRoundTrip);
    }
    EXPECT_NEAR(static_cast<double>(rto.rto()), static_cast<double>(then), 1e3);
  }
}

// tcp_ack_update_rtt of Linux 6.1: time stamps tell retransmissions apart, so that the first acknowledgement
// after a timeout measures, and takes the back-off back; tcp_retransmit_timer: in ticks of the wheel. The
// first packet is lost: after 1,001 ms, 251 ticks, the 256th; it arrives at 1,124 ms, and the timeout is then
// 1,101 ms where it was 2,002. The second is lost, and its probe, which goes after 400 ms at the 384th tick;
// 1,101 ms later is the 664th.
TEST(LinuxRto, TakesTheBackOffBackWithTheFirstAcknowledgement) {
  RackPath lone(1, 2, {0, 2, 3}, TailLossProbe::kLinux);
  lone.run();
  const std::vector<Sent> sent = {{1, 0}, {1, ms(1024)}, {2, ms(1124)}, {2, ms(1536)}, {2, ms(2656)}};
  EXPECT_EQ(lone.sent, sent);
}

// tcp_event_new_data_sent and tcp_rearm_rto: with a probe pending, the timeout runs from when the first
// missing packet was sent. Round trips of 100 ms that do not vary, and a margin of 10 ms: the probe for
// packets sent at 50 and 100 ms is due 110 ms after the first of them, long before two round trips.
TEST(LinuxRto, RunsFromTheFirstMissingPacketWhileAProbeWaits) {
  RackSender<OpenWindow> sender(OpenWindow(2),
                                {.rwnd = 1000,
                                 .initial_window = 2,
                                 .min_rto = ms(10),
                                 .max_rto = 64 * kSecond,
                                 .min_rto_above_srtt = true},
                                Recovery::kRfc6675, false, TailLossProbe::kLinux);
  std::int64_t last = -1;
  const auto sending = [&](std::int32_t, std::int64_t transmission) { last = transmission; };
  Picoseconds now = 0;
  sender.start(1, 1000, now, sending);
  for (int round = 0; round < 60; ++round) {
    now += kRoundTrip;
    sender.on_ack(last, now, sending);
    sender.resume(1, now, sending);
  }
  const std::int64_t first = last;
  sender.resume(2, now + ms(50), sending);
  sender.on_ack(first, now + kRoundTrip, sending);
  EXPECT_EQ(last, first + 2);
  EXPECT_NEAR(static_cast<double>(sender.deadline() - now), static_cast<double>(ms(50 + 110)), 1e6);
}

// Section 9.1, example 2: of three packets the first two are lost, and then the first again. The third has
// measured the round trip, of which a quarter passes. By RFC 6675 one later packet, and one more, are too
// few.
TEST(RackTlp, RepairsALostRetransmissionAfterARoundTrip) {
  RackPath with(3, 3, {0, 1, 3});
  with.run();
  const Picoseconds found = kRoundTrip + kRoundTrip / 4;
  const std::vector<Sent> sent = {{1, 0}, {2, 0}, {3, 0}, {1, found}, {2, found}, {1, found + kRoundTrip}};
  EXPECT_EQ(with.sent, sent);
  EXPECT_EQ(with.now, found + 2 * kRoundTrip);
  EXPECT_EQ(with.sender.window().timeouts, 0);
  EXPECT_EQ(with.sender.window().losses, 2);  // one for each window (section 9.3)

  CountingPath without(3, 3, {0, 1, 3});
  without.run();
  EXPECT_EQ(without.sender.window().timeouts, 2);
}

// With three packets beyond a lost one there is nothing to wait for (section 6.2, step 4); with two, a
// quarter of a round trip.
TEST(RackTlp, WaitsForAReorderingWindowUnlessThreePacketsHaveArrived) {
  RackPath three(4, 4, {0});
  three.run();
  EXPECT_EQ(three.sent.back(), (Sent{1, kRoundTrip}));
  RackPath two(3, 3, {0});
  two.run();
  EXPECT_EQ(two.sent.back(), (Sent{1, kRoundTrip + kRoundTrip / 4}));
}

// tcp_rack_mark_lost of Linux 6.1: 25 + 2 ms are 7 ticks of 4 ms, and the timer is never early.
TEST(RackTlp, WaitsForAReorderingWindowAsLongAsLinux) {
  RackPath two(3, 3, {0}, TailLossProbe::kLinux);
  two.run();
  EXPECT_EQ(two.sent.back(), (Sent{1, kRoundTrip + ms(8 * 4)}));
}

// A round trip of 3 ms, and packet 2 waits for its acknowledgement until one is sent for packet 4, as 3 is
// missing. RFC 8985 (6.2) measures with 4, so that 3 is lost; Linux with 2, 6 ms, and with packet 5 then.
TEST(RackTlp, MeasuresWithWhatIsAcknowledgedInOrderByLinuxsRules) {
  for (const bool linux_timers : {false, true}) {
    Rack rack(linux_timers);
    kit::RingQueue<std::int32_t> lost;
    const auto losses = [&] {
      rack.update();
      return rack.detect({.una = 3, .next = 6, .sacked = 1, .srtt = ms(3)}, lost).packets;
    };
    rack.start(0);
    rack.transmitted(1, 1, 0, false);
    rack.set_now(ms(3));
    rack.arrived(1, 0, lost, true);
    EXPECT_EQ(losses(), 0);
    rack.transmitted(2, 2, 1, false);
    rack.transmitted(3, 2, 2, false);
    for (const std::int32_t packet : {4, 5}) {
      rack.set_now(ms(packet + 2));
      rack.transmitted(packet, 2, packet - 1, false);
    }
    rack.set_now(ms(9));
    rack.arrived(2, 1, lost, true);
    rack.passed(3, 2);
    rack.arrived(4, 3, lost);
    EXPECT_EQ(losses(), linux_timers ? 0 : 1);
    rack.set_now(ms(10));
    rack.arrived(5, 4, lost);
    EXPECT_EQ(losses(), linux_timers ? 1 : 0);
  }
}

// Packets 4 to 6 are lost, and the window is full: the probe is a new packet, whose arrival finds all three
// (section 7.4.1).
TEST(RackTlp, ProbesWithNewDataWhileThereIsAny) {
  RackPath path(3, 100, {3, 4, 5});
  path.run(ms(450));
  const Picoseconds probed = kRoundTrip + 2 * kRoundTrip;
  const Picoseconds found = probed + kRoundTrip;
  const std::vector<Sent> sent = {{1, 0},          {2, 0},      {3, 0},     {4, kRoundTrip}, {5, kRoundTrip},
                                  {6, kRoundTrip}, {7, probed}, {4, found}, {5, found},      {6, found}};
  EXPECT_EQ(path.sent, sent);
  EXPECT_EQ(path.sender.window().losses, 1);
}

// Section 7.4.2: the probe repairs the last packet's loss, and the acknowledgement of a later packet tells
// the congestion window.
TEST(RackTlp, ReactsOnceToALossThatTheProbeRepaired) {
  RackPath path(10, 10, {9});
  path.run();
  EXPECT_EQ(path.sender.window().losses, 0);
  path.resume(5, ms(1000));
  path.run();
  EXPECT_EQ(path.sender.window().losses, 1);
}

// If the probe is lost too, the timer runs out an RTO after it (section 7.3).
TEST(RackTlp, TimesOutAnRtoAfterALostProbe) {
  RackPath path(10, 10, {9, 10});
  path.run();
  EXPECT_EQ(path.now, kRoundTrip + 2 * kRoundTrip + kSecond + kRoundTrip);
  EXPECT_EQ(path.sender.window().timeouts, 1);
}

// --- Against the pseudocode ---

struct RackLosses {
  double share;
  bool delayed;  // every second packet is acknowledged, if it comes in time
  bool stalls;   // the path holds packets back now and then, longer than a timeout
};

class RackByTheScript : public testing::TestWithParam<RackLosses> {};

TEST_P(RackByTheScript, MarksTheSameLossesAndSendsTheSameProbes) {
  const auto [share, delayed, stalls] = GetParam();
  const Picoseconds max_ack_delay = delayed ? ms(5) : 0;
  constexpr std::int32_t kWindow = 20;
  RackCounts counts;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto chance = [&](double p) { return static_cast<double>(random()) < p * 0x1p32; };
    RackSender<OpenWindow> sender(
        OpenWindow(kWindow),
        {.rwnd = 64, .initial_window = kWindow, .min_rto = ms(200), .max_rto = 6400 * kSecond},
        Recovery::kRfc6675, false, TailLossProbe::Margins{.lone = max_ack_delay});
    RackScript script({.min_rto = ms(200), .max_ack_delay = max_ack_delay, .rwnd = 64});
    struct Packet {
      std::int64_t transmission;
      Picoseconds arrives;
    };
    std::deque<Packet> under_way;
    Packets sent;
    Picoseconds now = 0;
    Picoseconds last = 0;
    const auto send = [&](std::int32_t packet, std::int64_t transmission) {
      sent.push_back(packet);
      script.sent(packet, transmission, now);
      last = std::max(last + kMillisecond / 2 + static_cast<Picoseconds>(random() % 1'000'000'000),
                      now + ms(20));
      last += stalls && chance(0.005) ? ms(400) : 0;
      if (!chance(share)) {
        under_way.push_back({transmission, last});
      }
    };
    const auto file = [&] { return static_cast<std::int32_t>(1 + random() % 60); };
    const std::int32_t first = file();
    script.resumed(first);
    const Packets at_first = script.sends(kWindow);
    sender.start(first, 1000, now, send);
    ASSERT_EQ(sent, at_first);
    ASSERT_EQ(sender.deadline(), script.deadline(now, true));
    for (int step = 0; step < 600; ++step) {
      sent.clear();
      Packets expected;
      bool began = false;
      const Picoseconds arrival = under_way.empty() ? kNever : under_way.front().arrives;
      if (sender.done() || chance(0.01)) {
        const std::int32_t more = file();
        // Not at the instant of an arrival, when numbers would not tell which packet was sent first.
        now = std::min({std::min(arrival, sender.deadline()) - 1,
                        now + 1 + static_cast<Picoseconds>(random() % 50) * kMillisecond});
        began = sender.done();
        script.resumed(more);
        expected = script.sends(kWindow);
        sender.resume(more, now, send);
      } else if (arrival <= sender.deadline()) {
        now = arrival;
        std::vector<std::int64_t> acknowledged = {under_way.front().transmission};
        under_way.pop_front();
        if (delayed && !under_way.empty() &&
            under_way.front().arrives <= std::min(now + ms(5), sender.deadline()) && chance(0.7)) {
          now = under_way.front().arrives;
          acknowledged.push_back(under_way.front().transmission);
          under_way.pop_front();
          sender.on_delayed_ack(acknowledged.front());
        }
        script.acknowledged(acknowledged, now);
        expected = script.sends(kWindow);
        sender.on_ack(acknowledged.back(), now, send);
      } else {
        now = sender.deadline();
        script.expired(now);
        expected = script.sends(kWindow);
        if (!sender.release(now, send)) {
          sender.on_timeout(now, send);
        }
      }
      ASSERT_EQ(sent, expected) << "seed " << seed << ", step " << step;
      ASSERT_EQ(sender.deadline(), script.deadline(now, began)) << "seed " << seed << ", step " << step;
    }
    EXPECT_FALSE(script.reordering_seen);
    EXPECT_EQ(sender.window().timeouts, script.counts.timeouts);
    counts += script.counts;
  }
  // All that the RFC has rules for has happened.
  EXPECT_GT(counts.probes, 40);
  EXPECT_GT(counts.reordering_timers, 40);
  EXPECT_GT(counts.repaired, 10);
  if (share > 0.1) {
    EXPECT_GT(counts.lost_retransmissions, 40);
    EXPECT_GT(counts.timeouts, 40);
  }
  if (stalls) {
    EXPECT_GT(counts.spurious, 40);
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, RackByTheScript,
                         testing::Values(RackLosses{0.02, false, false}, RackLosses{0.3, false, false},
                                         RackLosses{0.02, true, false}, RackLosses{0.3, true, false},
                                         RackLosses{0.02, false, true}, RackLosses{0.3, true, true}));

}  // namespace
}  // namespace packetsim::rack_tlp
