// The sender with selective acknowledgements, packet by packet.

#include "tcp/sack_sender.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace packetsim {
namespace {

constexpr Picoseconds kRoundTrip = 1000;

// A window of fixed size that a loss halves.
class FixedWindow {
 public:
  explicit FixedWindow(std::int32_t window) : window_(window) {}
  void start(std::int32_t, std::int32_t) {}
  std::int32_t window() const { return window_; }
  void sample(Picoseconds round_trip) { samples.push_back(round_trip); }
  bool on_ack(std::int32_t, std::int32_t) { return false; }
  void on_loss() { window_ /= 2; }
  bool limit(std::int32_t packets) {
    const bool larger = window_ > packets;
    window_ = larger ? packets : window_;
    return larger;
  }
  void on_recovered(std::int32_t, std::int32_t) { ++recovered; }
  void on_timeout(std::int32_t, std::int32_t) { window_ = 1; }

  std::vector<Picoseconds> samples;
  int recovered = 0;

 private:
  std::int32_t window_;
};

// A path of fixed delay that drops the transmissions it is told to.
class LossyPath {
 private:
  struct Packet {
    std::int32_t number;
    std::int64_t transmission;
    Picoseconds arrives;
  };

  auto sending() {
    return [this](std::int32_t number, std::int64_t transmission) {
      sent_.push_back(number);
      if (!dropped_.contains(transmission)) {
        under_way_.push_back({number, transmission, now_ + kRoundTrip});
      }
    };
  }

 public:
  LossyPath(std::int32_t window, std::set<std::int64_t> dropped, bool rate_halving = false,
            Picoseconds clock_tick = 0)
      : dropped_(std::move(dropped)),
        sender(FixedWindow(window),
               {.rwnd = 1000,
                .initial_window = window,
                .min_rto = 100 * kRoundTrip,
                .max_rto = 6400 * kRoundTrip,
                .clock_tick = clock_tick},
               rate_halving) {
    sender.start(1000, now_, sending());
  }

  // Delivers the next packet, or lets the timer run out; returns what the sender then sends.
  std::vector<std::int32_t> step() {
    sent_.clear();
    if (under_way_.empty() || under_way_.front().arrives > sender.deadline()) {
      now_ = sender.deadline();
      sender.on_timeout(now_, sending());
      ++timeouts;
    } else {
      const Packet packet = under_way_.front();
      under_way_.pop_front();
      now_ = packet.arrives;
      const auto result = sender.on_ack(packet.number, packet.transmission, now_, sending());
      losses_found += result.loss_found;
      times_limited += result.window_limited;
    }
    return sent_;
  }

  int timeouts = 0;
  int losses_found = 0;
  int times_limited = 0;

 private:
  std::set<std::int64_t> dropped_;
  std::deque<Packet> under_way_;
  std::vector<std::int32_t> sent_;
  Picoseconds now_ = 0;

 public:
  SackSender<FixedWindow> sender;
};

using Sent = std::vector<std::int32_t>;

TEST(SackSender, KeepsAWindowInFlightAndSamplesEveryPacket) {
  LossyPath path(4, {});
  for (std::int32_t packet = 1; packet <= 20; ++packet) {
    EXPECT_EQ(path.step(), Sent{packet + 4});
  }
  EXPECT_EQ(path.sender.window().samples, std::vector<Picoseconds>(20, kRoundTrip));
}

// A window of 10, packet 1 lost. The third later arrival tells; then the sender is silent until beta w = 5
// packets have left the network, and goes on with a packet for each arrival: 5 in the round trip instead
// of 10.
TEST(SackSender, IsSilentForHalfAWindowAfterASingleLoss) {
  LossyPath path(10, {0});
  EXPECT_EQ(path.step(), Sent{11});  // packet 2 arrives
  EXPECT_EQ(path.step(), Sent{12});
  EXPECT_EQ(path.step(), Sent{});  // packet 4: 8 in flight, the window is 5
  EXPECT_TRUE(path.sender.in_recovery());
  EXPECT_EQ(path.step(), Sent{});
  EXPECT_EQ(path.step(), Sent{});
  EXPECT_EQ(path.step(), Sent{});
  EXPECT_EQ(path.step(), Sent{1});  // packet 8: 4 in flight
  EXPECT_EQ(path.step(), Sent{13});
  EXPECT_EQ(path.step(), Sent{14});  // packet 10
  EXPECT_EQ(path.step(), Sent{15});  // packet 11
  EXPECT_EQ(path.step(), Sent{16});  // packet 12
  EXPECT_EQ(path.sender.una(), 1);
  EXPECT_EQ(path.step(), Sent{17});  // packet 1: all until 12 has arrived
  EXPECT_EQ(path.sender.una(), 13);
  EXPECT_FALSE(path.sender.in_recovery());
  EXPECT_EQ(path.sender.window().recovered, 1);
  EXPECT_EQ(path.losses_found, 1);
}

TEST(SackSender, RecoversManyLossesInOneRoundTripWithOneCut) {
  LossyPath path(40, {3, 4, 5, 9, 20, 21});
  int steps = 0;
  while (path.sender.window().recovered == 0 && ++steps < 200) {
    path.step();
  }
  EXPECT_EQ(path.losses_found, 1);
  EXPECT_EQ(path.sender.window().window(), 20);
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.sender.una(), 40);
  EXPECT_LT(steps, 100);  // two round trips, not one for each loss
}

// A window of 20, packet 1 lost. After its loss is known a packet is sent for every second arrival, the first
// being the lost one. When that one arrives, a round trip later, half of the window is in flight.
TEST(SackSender, HalvesTheRateOverTheRoundTripAfterASingleLoss) {
  LossyPath path(20, {0}, true);
  for (std::int32_t packet = 2; packet <= 3; ++packet) {
    EXPECT_EQ(path.step(), Sent{packet + 19});
  }
  EXPECT_EQ(path.step(), Sent{1});  // packet 4
  for (std::int32_t sent = 23; sent <= 31; ++sent) {
    EXPECT_EQ(path.step(), Sent{});
    EXPECT_EQ(path.step(), Sent{sent});
  }
  EXPECT_EQ(path.sender.una(), 1);
  EXPECT_EQ(path.step(), Sent{32});  // packet 1: 9 in flight, the window is 10
  EXPECT_EQ(path.sender.una(), 23);
  EXPECT_FALSE(path.sender.in_recovery());
  EXPECT_EQ(path.sender.window().window(), 10);
  EXPECT_EQ(path.times_limited, 0);
}

// A window of 40, of which a first and a last packet are lost: the second round trip of the recovery goes on
// from 20 in flight to 10, half of the reduced window, and the window is what is then in flight and 3 more.
TEST(SackSender, CutsTheWindowASecondTimeWhenRateHalvingTakesTwoRoundTrips) {
  LossyPath path(40, {0, 39}, true);
  int steps = 0;
  while (path.sender.window().recovered == 0 && ++steps < 200) {
    path.step();
  }
  EXPECT_EQ(path.losses_found, 1);
  EXPECT_EQ(path.times_limited, 1);
  EXPECT_NEAR(path.sender.window().window(), 40 / 4 + 3, 1);
  EXPECT_EQ(path.timeouts, 0);
}

TEST(SackSender, FindsALostRetransmissionWithoutATimeout) {
  LossyPath path(10, {0, 12});  // the transmission after 12 packets is the first retransmission
  int steps = 0;
  while (path.sender.una() == 1 && ++steps < 100) {
    path.step();
  }
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.sender.una(), 12);
}

TEST(SackSender, TakesNoSampleFromARetransmission) {
  LossyPath path(10, {0});
  for (int i = 0; i < 30; ++i) {
    path.step();
  }
  for (const Picoseconds sample : path.sender.window().samples) {
    EXPECT_EQ(sample, kRoundTrip);
  }
}

TEST(SackSender, SendsWhatHasNotArrivedAgainAfterATimeout) {
  LossyPath path(3, {0, 1, 3});     // packets 1, 2 and 4: only 3 arrives, too few to tell
  EXPECT_EQ(path.step(), Sent{4});  // packet 3 arrives
  EXPECT_EQ(path.step(), Sent{1});  // the timer runs out
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.step(), Sent{2});
  EXPECT_EQ(path.sender.una(), 2);
}

// The first timeout is 1 s (RFC 6298, 2.1): to the end of the fourth tick of 300 ms. The next is the longest
// that there is here, 6.4 us: to the next tick.
TEST(SackSender, TimesOutOnATickOfItsClock) {
  constexpr Picoseconds kTick = 300'000'000'000;
  LossyPath path(3, {0, 1, 2}, false, kTick);
  EXPECT_EQ(path.sender.deadline(), 4 * kTick);
  EXPECT_EQ(path.step(), Sent{1});
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.sender.deadline(), 5 * kTick);
}

}  // namespace
}  // namespace packetsim
