// CUBIC as Linux 6.1 has it (net/ipv4/tcp_cubic.c, tcp_cong.c), written anew from its rules: whole packets,
// a target that moves by jiffies, and the first HyStart (hystart_linux.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/portable_math.hpp"
#include "tcp/hystart_linux.hpp"
#include "tcp/recovery.hpp"
#include "tcp/tcp_state.hpp"
#include "tcp/window.hpp"

namespace packetsim {

// Windows are in packets. Time since the last cut is in parts of 1/1024 s, read off a clock of jiffies.
class CubicLinux : public WindowDefaults {
 public:
  static constexpr std::string_view kName = "cubic";
  static constexpr bool kHearsPauses = true;
  static constexpr bool counts_deliveries() { return true; }

  static constexpr Recovery recovery(const kit::Tcp& /*tcp*/) { return Recovery::kPrr; }
  // Whether the point asks for these rules.
  static bool is_for(const kit::Tcp& tcp) { return tcp.linux_rules; }

  CubicLinux() = default;
  explicit CubicLinux(const kit::Tcp& tcp) : most_(tcp.rwnd_packets) {
    if (const auto* own = std::get_if<kit::CubicParameters>(&tcp.own)) {
      fast_convergence_ = own->fast_convergence;
    }
  }

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    const std::int32_t most = most_;
    const bool fast_convergence = fast_convergence_;
    *this = CubicLinux();
    most_ = most;
    fast_convergence_ = fast_convergence;
    cwnd_ = initial_window;
    ssthresh_ = ssthresh;
  }

  std::int32_t window() const { return cwnd_; }
  std::int32_t ssthresh() const { return ssthresh_; }

  void on_ack(const WindowEvent& ack) {
    const Picoseconds jiffy = ack.now / kJiffy;
    if (ack.round_trip > 0) {
      take_delay(ack, jiffy);
    }
    std::int32_t acked = ack.acked;
    if (cwnd_ < ssthresh_) {
      const std::int32_t grown = std::min(cwnd_ + acked, ssthresh_);
      acked -= grown - cwnd_;
      cwnd_ = grown;
    }
    if (acked > 0) {
      update(jiffy, acked);
      grow(acked);
    }
    cwnd_ = std::min(cwnd_, most_);
  }

  void on_loss(const WindowEvent& state) {
    cut();
    cwnd_ = ssthresh_;
    cut_until_ = state.next;
    after_timeout_ = false;
  }
  void on_mark(const WindowEvent& state) { on_loss(state); }

  void on_recovered(std::int32_t /*una*/, std::int32_t /*next*/) {}

  // The window before it is forgotten. A timeout within a recovery cuts nothing once more, nor does the
  // second one for a packet (tcp_enter_loss).
  void on_timeout(const WindowEvent& state) {
    if (state.una >= cut_until_ || (after_timeout_ && state.una > timed_out_)) {
      cut();
    }
    cut_until_ = state.next;
    timed_out_ = state.una;
    after_timeout_ = true;
    last_max_ = target_ = origin_ = k_ = delay_least_ = 0;
    reno_ = acked_in_epoch_ = count_ = 0;
    epoch_ = last_update_ = kNone;
    hystart_ = HyStartLinux();
    cwnd_ = state.in_flight + 1;
  }

  void limit(std::int32_t packets) { cwnd_ = std::min(cwnd_, packets); }

  // Nothing was sent from `since` until now: the clock stood still.
  void on_pause(Picoseconds since, Picoseconds now) {
    if (epoch_ != kNone) {
      epoch_ = std::min(epoch_ + (now - since) / kJiffy, now / kJiffy);
    }
  }

 private:
  static constexpr Picoseconds kNone = -1;
  static constexpr Picoseconds kSecond = 1'000'000'000'000;
  static constexpr Picoseconds kJiffy = kLinuxJiffy;
  static constexpr Picoseconds kHold = 250 / 32;  // jiffies for which a target stays as it is
  static constexpr std::int64_t kParts = 1024;    // of a second, of beta and of c
  static constexpr std::int64_t kBeta = 717;
  static constexpr std::int64_t kC = 410;  // 0.4 packets/s^3
  // Reno's growth beside this cut (RFC 8312, 4.2): a packet for each 15/8 of a window acknowledged.
  static constexpr std::int64_t kRenoEighths = 8 * (kParts + kBeta) / 3 / (kParts - kBeta);
  static constexpr std::int64_t kMostAfterSlowStart = 20;
  static constexpr std::int64_t kLeastCount = 2;
  static constexpr std::int32_t kLeastThreshold = 2;

  void take_delay(const WindowEvent& ack, Picoseconds jiffy) {
    // For a second after a cut samples are left out.
    if (epoch_ != kNone && (jiffy - epoch_) * kJiffy < kSecond) {
      return;
    }
    if (delay_least_ == 0 || ack.round_trip < delay_least_) {
      delay_least_ = ack.round_trip;
    }
    if (cwnd_ < ssthresh_ && hystart_.ends(ack, cwnd_, delay_least_)) {
      ssthresh_ = cwnd_;
    }
  }

  void cut() {
    const std::int64_t cwnd = cwnd_;
    epoch_ = kNone;
    last_max_ = fast_convergence_ && cwnd < last_max_ ? cwnd * (kParts + kBeta) / (2 * kParts) : cwnd;
    ssthresh_ = std::max(static_cast<std::int32_t>(cwnd * kBeta / kParts), kLeastThreshold);
    count_ = 0;
  }

  // How many packets are to be acknowledged for the window to grow by one: per_packet_.
  void update(Picoseconds jiffy, std::int32_t acked) {
    acked_in_epoch_ += acked;
    if (last_cwnd_ == cwnd_ && last_update_ != kNone && jiffy - last_update_ <= kHold) {
      return;
    }
    if (epoch_ == kNone || jiffy != last_update_) {
      last_cwnd_ = cwnd_;
      last_update_ = jiffy;
      aim(jiffy, acked);
    }
    befriend_reno();
    per_packet_ = std::max(per_packet_, kLeastCount);
  }

  void aim(Picoseconds jiffy, std::int32_t acked) {
    if (epoch_ == kNone) {
      begin_epoch(jiffy, acked);
    }
    const std::int64_t jiffies = jiffy - epoch_ + (delay_least_ + kJiffy - 1) / kJiffy;
    const std::int64_t t = jiffies * kJiffy * kParts / kSecond;
    const std::int64_t from_plateau = t < k_ ? k_ - t : t - k_;
    const std::int64_t packets = from_plateau_packets(from_plateau);
    target_ = t < k_ ? origin_ - packets : origin_ + packets;
    per_packet_ = target_ > cwnd_ ? cwnd_ / (target_ - cwnd_) : 100 * std::int64_t{cwnd_};
    if (last_max_ == 0) {  // slow start has ended without a loss
      per_packet_ = std::min(per_packet_, kMostAfterSlowStart);
    }
  }

  void begin_epoch(Picoseconds jiffy, std::int32_t acked) {
    epoch_ = jiffy;
    acked_in_epoch_ = acked;
    reno_ = cwnd_;
    if (last_max_ <= cwnd_) {
      k_ = 0;
      origin_ = cwnd_;
    } else {
      const double seconds =
          kit::portable_exp(kit::portable_log(static_cast<double>((last_max_ - cwnd_) * kParts) / kC) / 3);
      k_ = static_cast<std::int64_t>(seconds * kParts);
      origin_ = last_max_;
    }
  }

  // c t^3, rounded down. After 270 s it is above any window, and its product would not fit.
  static std::int64_t from_plateau_packets(std::int64_t t) {
    const std::int64_t bounded = std::min<std::int64_t>(t, 270 * kParts);
    return (kC * bounded * bounded * bounded) >> 40;
  }

  void befriend_reno() {
    const std::int64_t each = (cwnd_ * kRenoEighths) >> 3;
    if (acked_in_epoch_ > each) {
      const std::int64_t packets = (acked_in_epoch_ - 1) / each;
      acked_in_epoch_ -= packets * each;
      reno_ += packets;
    }
    if (reno_ > cwnd_) {
      per_packet_ = std::min(per_packet_, cwnd_ / (reno_ - cwnd_));
    }
  }

  void grow(std::int32_t acked) {
    if (count_ >= per_packet_) {
      count_ = 0;
      ++cwnd_;
    }
    count_ += acked;
    if (count_ >= per_packet_) {
      const std::int64_t packets = count_ / per_packet_;
      count_ -= packets * per_packet_;
      cwnd_ += static_cast<std::int32_t>(packets);
    }
  }

  std::int32_t most_ = INT32_MAX;  // the receiver's window
  bool fast_convergence_ = true;
  bool after_timeout_ = false;
  std::int32_t cwnd_ = 1;
  std::int32_t ssthresh_ = 0;
  std::int32_t last_cwnd_ = 0;  // when the target was last set
  std::int32_t cut_until_ = 0;  // the first packet not sent at the last cut or timeout
  std::int32_t timed_out_ = 0;  // the packet of the last timeout
  std::int64_t last_max_ = 0;   // the window before the last cut, or less for newcomers; 0: forgotten
  std::int64_t target_ = 0;
  std::int64_t origin_ = 0;          // the plateau
  std::int64_t k_ = 0;               // until the plateau
  std::int64_t reno_ = 0;            // the window of a Reno with the same average
  std::int64_t acked_in_epoch_ = 0;  // packets that Reno's window has not grown for
  std::int64_t per_packet_ = 0;
  std::int64_t count_ = 0;  // packets acknowledged towards the next growth
  Picoseconds delay_least_ = 0;
  Picoseconds epoch_ = kNone;  // in jiffies, as the next one
  Picoseconds last_update_ = kNone;
  HyStartLinux hystart_;
};

static_assert(CongestionWindow<CubicLinux>);

}  // namespace packetsim
