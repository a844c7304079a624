// The sender with selective acknowledgements by the sequences that all engines follow.

#include "tcp/sack_sender.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/tests/sack_sequences.hpp"
#include "tcp/reno_window.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr Picoseconds kRoundTrip = kMillisecond;

class FixedWindow {
 public:
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

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, SackSequences, packetsim::SackPath);
}  // namespace kit
