// The sender with selective acknowledgements by the sequences that all engines follow.

#include "tcp/sack_sender.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "kit/tests/sack_sequences.hpp"
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

}  // namespace
}  // namespace packetsim

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, SackSequences, packetsim::SackPath);
}  // namespace kit
