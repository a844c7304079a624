// Recovery by PRR: by hand, and acknowledgement by acknowledgement against a plain script of RFC 9937.

#include "tcp/prr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/tests/sender_script.hpp"
#include "tcp/cubic.hpp"
#include "tcp/dctcp.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/sack_sender.hpp"
#include "tcp/selective_sender.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr std::int32_t kLargestWindow = 60;

// A loss leaves seven tenths; every acknowledgement outside of recovery lets the window grow, if it grows.
class SevenTenths : public WindowDefaults {
 public:
  explicit SevenTenths(bool grows = false) : grows_(grows) {}
  void start(std::int32_t initial, std::int32_t /*ssthresh*/) { window_ = initial; }
  std::int32_t window() const { return window_; }
  std::int32_t ssthresh() const { return window_; }
  bool on_ack(const WindowEvent& /*ack*/) {
    window_ += grows_ && window_ < kLargestWindow ? 1 : 0;
    return false;
  }
  void on_loss(const WindowEvent& /*state*/) { window_ = std::max(window_ * 7 / 10, 2); }
  void on_mark(const WindowEvent& state) { on_loss(state); }
  bool limit(std::int32_t /*packets*/) { return false; }
  void on_recovered(std::int32_t /*una*/, std::int32_t /*next*/) {}
  void on_timeout(const WindowEvent& /*state*/) { window_ = 1; }

 private:
  bool grows_;
  std::int32_t window_ = 0;
};

constexpr TcpLimits kPrrLimits = {
    .rwnd = 1000, .initial_window = 10, .min_rto = kSecond, .max_rto = 64 * kSecond};

// The sender on a path that drops the transmissions that it is told to, counted from 0.
template <class Window>
class PathOf {
  auto sending() {
    return [this](std::int32_t packet, std::int64_t transmission) {
      sent_.push_back(packet);
      if (!dropped_.contains(transmission)) {
        under_way_.push_back(transmission);
      }
    };
  }

 public:
  explicit PathOf(std::set<std::int64_t> dropped, std::int32_t window = 10, Window of = Window(),
                  std::int32_t ssthresh = 1000)
      : sender(of, limits_with(window), Recovery::kPrr), dropped_(std::move(dropped)) {
    sender.start(100'000, ssthresh, 0, sending());
    sent_.clear();
  }

  // Brings back the next acknowledgement, which is for so many packets.
  Packets step(int packets = 1) {
    sent_.clear();
    now_ += kMillisecond;
    for (; packets > 1; --packets) {
      sender.on_delayed_ack(next());
    }
    sender.on_ack(next(), now_, sending());
    return sent_;
  }

  SackSender<Window> sender;

 private:
  static TcpLimits limits_with(std::int32_t window) {
    TcpLimits limits = kPrrLimits;
    limits.initial_window = window;
    return limits;
  }

  std::int64_t next() {
    const std::int64_t transmission = under_way_.front();
    under_way_.pop_front();
    return transmission;
  }

  std::set<std::int64_t> dropped_;
  std::deque<std::int64_t> under_way_;
  Packets sent_;
  Picoseconds now_ = 0;
};

using PrrPath = PathOf<SevenTenths>;

void expect_to_send(PrrPath& path, const std::vector<Packets>& sent) {
  for (std::size_t arrival = 0; arrival < sent.size(); ++arrival) {
    ASSERT_EQ(path.step(), sent[arrival]) << "arrival " << arrival + 1;
  }
}

// Packet 1 of 1..10 is lost. Packets 2 and 3 set 11 and 12 free (RFC 3042). With 4 the recovery begins: the
// threshold is 7, ten packets had not been delivered before (RecoverFS), and 8 are in flight. Until the k-th
// arrival from there on ceil(0.7 k) may have gone out, 1 2 3 3; with the fifth 7 are in flight, and from then
// on a packet goes out for each that arrives.
TEST(Prr, SendsInProportionAfterALoss) {
  PrrPath path({0});
  expect_to_send(path, {{11}, {12}, {1}, {13}, {14}, {}, {}, {15}, {16}, {17}, {18}});
  EXPECT_TRUE(path.sender.in_recovery());
  EXPECT_EQ(path.sender.una(), 1);
  expect_to_send(path, {{19}});  // packet 1: the recovery is over, and the window is full
  EXPECT_EQ(path.sender.una(), 13);
  EXPECT_FALSE(path.sender.in_recovery());
  EXPECT_EQ(path.sender.window().window(), 7);
  expect_to_send(path, {{20}, {21}});
}

// Seven of ten are lost, so with the loss of the fourth three are in flight, which is below the threshold of
// 7: without a cumulative acknowledgement one packet goes out for each that arrives (PRR-CRB), with one two
// (PRR-SSRB).
TEST(Prr, GrowsBackToTheThresholdAfterHeavyLosses) {
  PrrPath path({0, 1, 2, 3, 4, 5, 6});
  expect_to_send(path, {{11}, {12}});                // packets 8 and 9
  expect_to_send(path, {{1}});                       // packet 10: 2 in flight, and 7 are lost
  expect_to_send(path, {{2}, {3}});                  // packets 11 and 12
  expect_to_send(path, {{4, 5}, {6, 7}, {13, 14}});  // packets 1 to 3
}

const kit::Tcp kLinuxRules{.variant = "any", .rwnd_packets = 100, .linux_rules = true};

template <class Window>
class LinuxRecoveries : public testing::Test {};
using RenoAndDctcpOfLinux = testing::Types<RenoWindow, DctcpLinux>;
TYPED_TEST_SUITE(LinuxRecoveries, RenoAndDctcpOfLinux);

// tcp_cong_control by hand: ten packets, cut to five. The acknowledgement that ends the recovery is of a
// dozen, but of one that has only now arrived: with it and four others a window has arrived, which lets the
// window grow.
TYPED_TEST(LinuxRecoveries, LetTheWindowGrowByWhatArrivesWhenTheyEnd) {
  PathOf<TypeParam> path({0}, 10, TypeParam(kLinuxRules), 11);
  while (path.sender.una() == 1) {
    path.step();
  }
  EXPECT_FALSE(path.sender.in_recovery());
  EXPECT_GT(path.sender.una(), 10);
  for (int more = 0; more < 4; ++more) {
    EXPECT_EQ(path.sender.window().window(), 5) << more;
    path.step();
  }
  EXPECT_EQ(path.sender.window().window(), 6);
}

// Of eleven packets the second is lost, and one acknowledgement tells of the first five: it begins a
// recovery, and does not let the window grow to twelve first.
TYPED_TEST(LinuxRecoveries, DoNotLetTheWindowGrowWhenTheyBegin) {
  PathOf<TypeParam> path({1}, 11, TypeParam(kLinuxRules), 12);
  path.step(4);
  EXPECT_TRUE(path.sender.in_recovery());
  EXPECT_EQ(path.sender.window().ssthresh(), 5);
}

// What RFC 9937 says in sections 6.1 to 6.3, and RFC 6675 of the scoreboard, as plainly as can be: by sets of
// packets, counted anew for every acknowledgement. A packet is lost when three sent after it have arrived.
class PrrScript {
 public:
  Packets start(std::int32_t window) {
    cwnd_ = window;
    return send();
  }

  // One acknowledgement, for these transmissions.
  Packets acknowledged(const std::vector<std::int64_t>& transmissions) {
    const std::int32_t una_before = una();
    const std::set<std::int32_t> held_before = held_;
    const std::set<std::int32_t> lost_before = lost();
    for (const std::int64_t transmission : transmissions) {
      held_.insert(packet_at_[transmission]);
      arrived_.insert(transmission);
    }
    const auto delivered = static_cast<std::int32_t>(held_.size() - held_before.size());
    bool more_lost = false;
    for (const std::int32_t packet : lost()) {
      more_lost = more_lost || !lost_before.contains(packet);
    }
    const bool advances = una() > una_before;
    if (recovering_ && una() > recover_) {
      recovering_ = false;
      cwnd_ = ssthresh_;
    } else if (!recovering_ && advances) {
      cwnd_ = std::min(cwnd_ + 1, kLargestWindow);
    }
    if (!recovering_ && !lost().empty() && una() > recover_) {
      recovering_ = true;
      recover_ = next_ - 1;
      ssthresh_ = std::max(cwnd_ * 7 / 10, 2);
      prr_delivered_ = prr_out_ = 0;
      recover_fs_ = next_ - 1 - static_cast<std::int32_t>(held_before.size());
    }
    if (recovering_ && delivered > 0) {
      prr_delivered_ += delivered;
      const auto inflight = static_cast<std::int32_t>(in_flight().size());
      std::int32_t count = 0;
      if (inflight > ssthresh_) {
        const double out = static_cast<double>(prr_delivered_) * ssthresh_ / recover_fs_;
        count = static_cast<std::int32_t>(std::ceil(out - 1e-9)) - prr_out_;
      } else {
        count = std::max(prr_delivered_ - prr_out_, delivered);
        if (advances && !more_lost) {
          count += 1;
        }
        count = std::min(ssthresh_ - inflight, count);
      }
      if (prr_out_ == 0 && count == 0) {
        count = 1;
      }
      cwnd_ = inflight + count;
    }
    return send();
  }

  Packets timeout() {
    given_up_ = static_cast<std::int64_t>(packet_at_.size());
    recovering_ = false;
    recover_ = next_ - 1;
    cwnd_ = 1;
    return send();
  }

  bool recovering() const { return recovering_; }

 private:
  std::int32_t una() const {
    std::int32_t packet = 1;
    while (held_.contains(packet)) {
      ++packet;
    }
    return packet;
  }

  // Sent, neither held by the receiver nor known to be lost since they were last sent.
  std::set<std::int32_t> in_flight() const {
    std::set<std::int32_t> packets;
    for (const auto& [packet, transmission] : last_sent_) {
      if (!held_.contains(packet) && !is_lost(transmission)) {
        packets.insert(packet);
      }
    }
    return packets;
  }

  std::set<std::int32_t> lost() const {
    std::set<std::int32_t> packets;
    for (const auto& [packet, transmission] : last_sent_) {
      if (!held_.contains(packet) && is_lost(transmission)) {
        packets.insert(packet);
      }
    }
    return packets;
  }

  bool is_lost(std::int64_t transmission) const {
    return transmission < given_up_ || std::distance(arrived_.upper_bound(transmission), arrived_.end()) >= 3;
  }

  // Lost packets first, in the order in which they were sent last, or by number those lost by a timeout.
  Packets send() {
    Packets sent;
    while (static_cast<std::int32_t>(in_flight().size()) < cwnd_) {
      std::int32_t packet = next_;
      std::int64_t oldest = INT64_MAX;
      for (const std::int32_t one : lost()) {
        if (const std::int64_t when = std::max(last_sent_[one], given_up_ - 1); when < oldest) {
          oldest = when;
          packet = one;
        }
      }
      next_ += packet == next_ ? 1 : 0;
      const auto transmission = static_cast<std::int64_t>(packet_at_.size());
      packet_at_[transmission] = packet;
      last_sent_[packet] = transmission;
      prr_out_ += recovering_ ? 1 : 0;
      sent.push_back(packet);
    }
    return sent;
  }

  std::int32_t next_ = 1;
  std::int32_t cwnd_ = 0;
  std::int32_t ssthresh_ = 0;
  std::int32_t recover_ = 0;
  bool recovering_ = false;
  std::int32_t prr_delivered_ = 0;
  std::int32_t prr_out_ = 0;
  std::int32_t recover_fs_ = 0;
  std::int64_t given_up_ = 0;
  std::set<std::int32_t> held_;
  std::set<std::int64_t> arrived_;
  std::map<std::int64_t, std::int32_t> packet_at_;
  std::map<std::int32_t, std::int64_t> last_sent_;
};

struct PrrLosses {
  double share;
  bool delayed;  // every second packet is acknowledged
};

class PrrByTheScript : public testing::TestWithParam<PrrLosses> {};

TEST_P(PrrByTheScript, SendsTheSamePackets) {
  const auto [share, delayed] = GetParam();
  int recoveries = 0;
  int timeouts = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    SackSender<SevenTenths> sender(SevenTenths(true), kPrrLimits, Recovery::kPrr);
    PrrScript script;
    std::deque<std::int64_t> under_way;
    Packets sent;
    const auto send = [&](std::int32_t packet, std::int64_t transmission) {
      sent.push_back(packet);
      if (static_cast<double>(random()) >= share * 0x1p32) {
        under_way.push_back(transmission);
      }
    };
    Picoseconds now = 0;
    sender.start(100'000, 1000, now, send);
    ASSERT_EQ(sent, script.start(10));
    for (int step = 0; step < 300; ++step) {
      sent.clear();
      if (under_way.empty()) {
        now = sender.deadline();
        sender.on_timeout(now, send);
        ASSERT_EQ(sent, script.timeout()) << "seed " << seed << ", step " << step;
        ++timeouts;
        continue;
      }
      now += kMillisecond;
      std::vector<std::int64_t> acknowledged;
      const std::size_t together = delayed && under_way.size() > 1 && random() % 4 > 0 ? 2 : 1;
      for (std::size_t packet = 0; packet < together; ++packet) {
        acknowledged.push_back(under_way.front());
        under_way.pop_front();
      }
      if (together == 2) {
        sender.on_delayed_ack(acknowledged[0]);
      }
      const bool before = sender.in_recovery();
      sender.on_ack(acknowledged.back(), now, send);
      ASSERT_EQ(sent, script.acknowledged(acknowledged)) << "seed " << seed << ", step " << step;
      ASSERT_EQ(sender.in_recovery(), script.recovering());
      recoveries += !before && sender.in_recovery() ? 1 : 0;
    }
  }
  EXPECT_GT(recoveries, 40);
  EXPECT_EQ(timeouts > 0, share > 0.1);
}

INSTANTIATE_TEST_SUITE_P(Losses, PrrByTheScript,
                         testing::Values(PrrLosses{0.01, false}, PrrLosses{0.05, false},
                                         PrrLosses{0.3, false}, PrrLosses{0.01, true}, PrrLosses{0.05, true},
                                         PrrLosses{0.3, true}));

// The k-th of ten packets that arrive after a loss, with the window of each variant.
template <class Variant>
Packets sent_after_a_loss(std::optional<kit::SackRecovery> recovery) {
  SelectiveSender<Variant> sender(kit::Tcp{.rwnd_packets = 100,
                                           .initial_window_packets = 10,
                                           .min_rto_s = 1,
                                           .max_rto_s = 64,
                                           .sack_recovery = recovery});
  Packets counts;
  std::int32_t sent = 0;
  const auto send = [&](std::int32_t) { ++sent; };
  sender.start(1000, kPrrLimits, 0, send);
  for (std::int32_t number = 1; number < 10; ++number) {
    sent = 0;
    sender.on_ack(number, kPrrLimits, number * kMillisecond, send, [](Picoseconds) {});
    counts.push_back(sent);
  }
  return counts;
}

// CUBIC's window is cut to 7 and NewReno's to 5; by RFC 6675 the first lost packet goes at once, and nothing
// more until as much has arrived as the window was cut by.
TEST(SackRecovery, IsTheVariantsUnlessThePointSaysAnother) {
  const Packets cubic_prr = {1, 1, 1, 1, 1, 0, 0, 1, 1};
  EXPECT_EQ(sent_after_a_loss<Cubic>({}), cubic_prr);
  EXPECT_EQ(sent_after_a_loss<Cubic>(kit::SackRecovery::kPrr), cubic_prr);
  EXPECT_EQ(sent_after_a_loss<Cubic>(kit::SackRecovery::kRfc6675), (Packets{1, 1, 1, 0, 0, 1, 1, 1, 1}));
  const Packets reno_6675 = {1, 1, 1, 0, 0, 0, 0, 1, 1};
  EXPECT_EQ(sent_after_a_loss<RenoWindow>({}), reno_6675);
  EXPECT_EQ(sent_after_a_loss<RenoWindow>(kit::SackRecovery::kRfc6675), reno_6675);
  EXPECT_EQ(sent_after_a_loss<RenoWindow>(kit::SackRecovery::kPrr), (Packets{1, 1, 1, 0, 1, 0, 1, 0, 0}));
}

}  // namespace
}  // namespace packetsim
