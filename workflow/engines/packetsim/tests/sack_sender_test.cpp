// The sender with selective acknowledgements by sequences worked by hand from Blanc, Collange and Avrachenkov
// 2008, section 4, and RFC 6675; with rate halving, from the rule of ns-2's Linux agent (Wei and Cao 2006):
// in recovery one may be in flight more than are, at most one less than were when the last packet was sent,
// and at the beginning at most the window of before the loss; at least half of the reduced window.

#include "tcp/sack_sender.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/tests/sender_script.hpp"
#include "tcp/reno_window.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr Picoseconds kRoundTrip = kMillisecond;

class FixedWindow : public WindowDefaults {
 public:
  static constexpr bool kMayHalveRate = true;

  explicit FixedWindow(std::int32_t window) : window_(window) {}
  void start(std::int32_t, std::int32_t) {}
  std::int32_t window() const { return window_; }
  std::int32_t ssthresh() const { return window_; }
  bool on_ack(const WindowEvent& ack) {
    if (ack.round_trip > 0) {
      samples.push_back(ack.round_trip);
    }
    return false;
  }
  void on_loss(const WindowEvent&) { window_ /= 2; }
  void on_mark(const WindowEvent& event) { on_loss(event); }
  bool limit(std::int32_t packets) {
    const bool larger = window_ > packets;
    window_ = larger ? packets : window_;
    return larger;
  }
  void on_recovered(std::int32_t, std::int32_t) { ++recovered; }
  void on_timeout(const WindowEvent&) { window_ = 1; }

  std::vector<Picoseconds> samples;
  int recovered = 0;

 private:
  std::int32_t window_;
};

using kit::Packets;

struct SackSetting {
  std::int32_t window;
  std::set<std::int64_t> dropped = {};
  bool rate_halving = false;
};

// A window of fixed size that a loss halves and a long file under way, on a path of fixed delay that drops
// the transmissions that it is told to, counted from 0. step() brings back the next acknowledgement, or lets
// the timer run out, and returns what the sender then sends.
class SackPath {
 public:
  explicit SackPath(const SackSetting& setting, Picoseconds clock_tick = 0)
      : sender(FixedWindow(setting.window),
               {.rwnd = 1000,
                .initial_window = setting.window,
                .min_rto = kSecond,
                .max_rto = 64 * kSecond,
                .clock_tick = clock_tick},
               setting.rate_halving ? Recovery::kRateHalving : Recovery::kPause),
        dropped_(setting.dropped) {
    sender.start(1000000, 1000, now_, sending());
  }

  Packets step() {
    sent_.clear();
    if (under_way_.empty() || under_way_.front().arrives > sender.deadline()) {
      now_ = sender.deadline();
      sender.on_timeout(now_, sending());
      ++timeouts;
    } else {
      const Packet packet = under_way_.front();
      under_way_.pop_front();
      now_ = packet.arrives;
      sender.on_ack(packet.transmission, now_, sending());
    }
    return sent_;
  }

  std::int32_t window() const { return sender.window().window(); }
  std::int32_t una() const { return sender.una(); }
  bool in_recovery() const { return sender.in_recovery(); }
  int recovered() const { return sender.window().recovered; }
  std::size_t samples() const { return sender.window().samples.size(); }
  bool samples_are_the_round_trip() const {
    return std::ranges::count(sender.window().samples, kRoundTrip) == std::ssize(sender.window().samples);
  }

  SackSender<FixedWindow> sender;
  int timeouts = 0;

 private:
  struct Packet {
    std::int32_t number;
    std::int64_t transmission;
    Picoseconds arrives;
  };

  std::function<void(std::int32_t, std::int64_t)> sending() {
    return [this](std::int32_t number, std::int64_t transmission) {
      sent_.push_back(number);
      if (!dropped_.contains(transmission)) {
        under_way_.push_back({number, transmission, now_ + kRoundTrip});
      }
    };
  }

  std::set<std::int64_t> dropped_;
  std::deque<Packet> under_way_;
  Packets sent_;
  Picoseconds now_ = 0;
};

void expect_to_send(SackPath& path, const std::vector<Packets>& sent) {
  for (std::size_t arrival = 0; arrival < sent.size(); ++arrival) {
    ASSERT_EQ(path.step(), sent[arrival]) << "arrival " << arrival + 1;
  }
}

TEST(SackSequences, KeepsAWindowInFlightAndSamplesEveryPacket) {
  SackPath path({.window = 4});
  for (std::int32_t packet = 1; packet <= 20; ++packet) {
    EXPECT_EQ(path.step(), Packets{packet + 4});
  }
  EXPECT_EQ(path.samples(), 20U);
  EXPECT_TRUE(path.samples_are_the_round_trip());
}

// A window of 10, packet 1 lost. The third later arrival tells; then the sender is silent until beta w = 5
// packets have left the network, and goes on with a packet for each arrival: 5 in the round trip instead
// of 10.
TEST(SackSequences, IsSilentForHalfAWindowAfterASingleLoss) {
  SackPath path({.window = 10, .dropped = {0}});
  expect_to_send(path, {{11}, {12}, {}});  // packets 2, 3 and 4: 8 in flight, the window is 5
  EXPECT_TRUE(path.in_recovery());
  expect_to_send(path, {{}, {}, {}, {1}});         // packets 5 to 8: 4 in flight
  expect_to_send(path, {{13}, {14}, {15}, {16}});  // packets 9 to 12
  EXPECT_EQ(path.una(), 1);
  EXPECT_EQ(path.step(), Packets{17});  // packet 1: all until 12 has arrived
  EXPECT_EQ(path.una(), 13);
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.recovered(), 1);
  EXPECT_EQ(path.window(), 5);
}

TEST(SackSequences, RecoversManyLossesInOneRoundTripWithOneCut) {
  SackPath path({.window = 40, .dropped = {3, 4, 5, 9, 20, 21}});
  int steps = 0;
  while (path.recovered() == 0 && ++steps < 200) {
    path.step();
  }
  EXPECT_EQ(path.window(), 20);
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.una(), 40);
  EXPECT_LT(steps, 100);  // two round trips, not one for each loss
}

// A window of 10, packet 1 lost. When packet 4 arrives, 8 are left in flight: the lost one is the first to go
// out. From then on a packet goes out for every second arrival, and when the lost one arrives there are 4 in
// flight: the fifth fills the window.
TEST(SackSequences, HalvesTheRateInARecoveryOfOneRoundTripAfterOneLoss) {
  SackPath path({10, {0}, true});
  expect_to_send(path, {{11}, {12}, {1}});  // packets 2, 3 and 4
  EXPECT_TRUE(path.in_recovery());
  expect_to_send(path, {{}, {13}, {}, {14}, {}, {15}, {}, {16}});  // packets 5 to 12
  EXPECT_TRUE(path.in_recovery());
  expect_to_send(path, {{17}});  // packet 1
  EXPECT_EQ(path.una(), 13);
  EXPECT_FALSE(path.in_recovery());
  expect_to_send(path, {{18}, {19}, {20}});  // packets 13 to 15: the 5 of the window stay in flight
  EXPECT_EQ(path.window(), 5);
}

// A window of 10, packets 1 and 2 lost. When packet 5 arrives, 7 are left in flight. Packet 2 goes out two
// arrivals after packet 1. Packet 1 is the second to arrive since 14 was sent; packet 2 ends the recovery
// with 3 in flight.
TEST(SackSequences, HalvesTheRateInARecoveryOfOneRoundTripAfterTwoLosses) {
  SackPath path({10, {0, 1}, true});
  expect_to_send(path, {{11}, {12}, {1}});                  // packets 3, 4 and 5
  expect_to_send(path, {{}, {2}, {}, {13}, {}, {14}, {}});  // packets 6 to 12
  expect_to_send(path, {{15}});                             // packet 1
  EXPECT_TRUE(path.in_recovery());
  expect_to_send(path, {{16, 17}});  // packet 2
  EXPECT_FALSE(path.in_recovery());
  expect_to_send(path, {{18}, {19}});  // packets 13 and 14: the 5 of the window stay in flight
  EXPECT_EQ(path.window(), 5);
}

// A window of 16, the first and the last packet lost. The first retransmission arrives when 8 are in flight,
// the reduced window; the last packet's loss is found with it, so that the rate is halved for a second round
// trip. That one ends with 3 in flight, and the window is 3 more.
TEST(SackSequences, CutsTheWindowASecondTimeWhenTheRateIsHalvedForTwoRoundTrips) {
  SackPath path({16, {0, 15}, true});
  expect_to_send(path, {{17}, {18}, {1}});                         // packets 2, 3 and 4
  expect_to_send(path, {{}, {19}, {}, {20}, {}, {21}, {}, {22}});  // packets 5 to 12
  expect_to_send(path, {{}, {23}, {}, {24}, {}});                  // packets 13 to 15, 17 and 18
  expect_to_send(path, {{16}});                                    // packet 1: 6 in flight before
  expect_to_send(path, {{}, {25}, {}, {26}, {}, {27}});            // packets 19 to 24
  EXPECT_EQ(path.window(), 8);
  expect_to_send(path, {{28, 29, 30}});  // packet 16
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.window(), 6);
}

// The same, but the retransmission of packet 16 is lost too. Half of the reduced window, 4, stays in flight:
// a packet goes out for each that leaves.
TEST(SackSequences, KeepsHalfOfTheReducedWindowInFlight) {
  SackPath path({16, {0, 15, 25}, true});
  for (int arrival = 0; arrival < 23; ++arrival) {
    path.step();  // as before
  }
  expect_to_send(path, {{28}, {29}, {16, 30}});  // packets 25 to 27: the last finds the loss
  expect_to_send(path, {{31}, {32}});            // packets 28 and 29
  EXPECT_TRUE(path.in_recovery());
  expect_to_send(path, {{33, 34, 35}});  // packet 16, with 30 to 32 in flight
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.window(), 6);
  EXPECT_EQ(path.timeouts, 0);
}

TEST(SackSequences, FindsALostRetransmissionWithoutATimeout) {
  SackPath path(
      {.window = 10, .dropped = {0, 12}});  // the first retransmission is the transmission after 12 packets
  int steps = 0;
  while (path.una() == 1 && ++steps < 100) {
    path.step();
  }
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.una(), 12);
}

TEST(SackSequences, TakesNoSampleFromARetransmission) {
  SackPath path({.window = 10, .dropped = {0}});
  for (int i = 0; i < 30; ++i) {
    path.step();
  }
  EXPECT_GT(path.samples(), 0U);
  EXPECT_TRUE(path.samples_are_the_round_trip());
}

TEST(SackSequences, SendsWhatHasNotArrivedAgainAfterATimeout) {
  SackPath path({.window = 3, .dropped = {0, 1, 3}});  // packets 1, 2 and 4: only 3 arrives, too few to tell
  EXPECT_EQ(path.step(), Packets{4});                  // packet 3 arrives
  EXPECT_EQ(path.step(), Packets{1});                  // the timer runs out
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.step(), Packets{2});
  EXPECT_EQ(path.una(), 2);
}

// The first timeout is 1 s (RFC 6298, 2.1): to the end of the fourth tick of 300 ms. It doubles to 2 s,
// from 1.2 s on: to the end of the eleventh.
TEST(SackSender, TimesOutOnATickOfItsClock) {
  constexpr Picoseconds kTick = 300 * kMillisecond;
  SackPath path({.window = 3, .dropped = {0, 1, 2}}, kTick);
  EXPECT_EQ(path.sender.deadline(), 4 * kTick);
  EXPECT_EQ(path.step(), Packets{1});
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.sender.deadline(), 11 * kTick);
}

// Packet 1 of 10 is lost, and the connection is given up in its recovery: the next one is in none.
TEST(SackSender, BeginsAConnectionOutsideOfTheLastOnesRecovery) {
  SackPath path({.window = 10, .dropped = {0}});
  path.step();
  path.step();
  path.step();
  ASSERT_TRUE(path.in_recovery());
  path.sender.start(10, 1000, 0, [](std::int32_t, std::int64_t) {});
  EXPECT_FALSE(path.in_recovery());
}

// RFC 5681, section 3.1: the smaller of window and flight counts, new acknowledgements count anew after a
// cut.
TEST(RenoWindow, GrowsAndHalves) {
  kit::Tcp tcp;
  tcp.rwnd_packets = 100;
  RenoWindow window(tcp);
  const auto acks = [&window](int count) {
    for (int ack = 0; ack < count; ++ack) {
      window.on_ack({});
    }
    return window.window();
  };
  window.start(2, 4);
  EXPECT_EQ(acks(3), 5);  // slow start up to one above the threshold
  EXPECT_EQ(acks(4), 5);
  EXPECT_EQ(acks(1), 6);
  acks(3);
  window.on_loss({.una = 1, .next = 5});
  EXPECT_EQ(window.window(), 2);
  window.on_recovered(5, 5);
  EXPECT_EQ(window.window(), 3);
  EXPECT_EQ(acks(2), 3);
  EXPECT_EQ(acks(1), 4);
  window.on_loss({.una = 1, .next = 3});
  EXPECT_EQ(window.ssthresh(), 2);
  window.start(20, 40);
  window.on_loss({.una = 1, .next = 100});
  EXPECT_EQ(window.window(), 10);
  window.on_timeout({.una = 7, .next = 17});
  EXPECT_EQ(window.window(), 1);
  EXPECT_EQ(window.ssthresh(), 5);
  window.on_timeout({.una = 7, .next = 17});
  EXPECT_EQ(window.ssthresh(), 5);  // the same packet again
}

}  // namespace
}  // namespace packetsim
