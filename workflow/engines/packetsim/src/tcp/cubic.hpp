// CUBIC (RFC 9438), with fast convergence, the Reno-friendly region and HyStart++, under selective
// acknowledgements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/portable_math.hpp"
#include "tcp/hystart.hpp"
#include "tcp/recovery.hpp"
#include "tcp/window.hpp"

namespace packetsim {

// Windows are in packets, times in seconds, as in the RFC; what is sent is the window's integer part.
class Cubic : public WindowDefaults {
 public:
  static constexpr std::string_view kName = "cubic";
  static constexpr bool kHearsPauses = true;

  // As the Linux kernel recovers.
  static constexpr Recovery recovery(const kit::Tcp& /*tcp*/) { return Recovery::kPrr; }

  Cubic() = default;
  explicit Cubic(const kit::Tcp& tcp) : most_(tcp.rwnd_packets) {
    if (const auto* own = std::get_if<kit::CubicParameters>(&tcp.own)) {
      own_ = *own;
    }
  }

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    const double most = most_;
    const kit::CubicParameters own = own_;
    *this = Cubic();
    most_ = most;
    own_ = own;
    cwnd_ = initial_window;
    ssthresh_ = ssthresh;
  }

  std::int32_t window() const { return std::max(static_cast<std::int32_t>(cwnd_), 1); }
  std::int32_t ssthresh() const { return static_cast<std::int32_t>(ssthresh_); }

  void on_ack(const WindowEvent& ack) {
    if (ack.round_trip > 0) {
      const double sample = kit::seconds(ack.round_trip);
      srtt_s_ = srtt_s_ == 0 ? sample : srtt_s_ + (sample - srtt_s_) / 8;  // RFC 6298
    }
    if (cwnd_ < ssthresh_) {
      cwnd_ += static_cast<double>(hystart_.on_ack(ack)) / HyStart::kParts;
      if (hystart_.over()) {
        ssthresh_ = cwnd_;
      }
    } else {
      if (epoch_ == kNever) {
        begin_epoch(ack.now);
      }
      avoid_congestion(ack);
    }
    cwnd_ = std::min(cwnd_, most_);
  }

  // Section 4.6, and fast convergence of section 4.7.
  void on_loss(const WindowEvent& /*state*/) {
    cut();
    cwnd_ = ssthresh_;
  }
  void on_mark(const WindowEvent& state) { on_loss(state); }

  void on_recovered(std::int32_t /*una*/, std::int32_t /*next*/) {}

  // Section 4.8. The next congestion avoidance begins at the top of its cubic.
  void on_timeout(const WindowEvent& /*state*/) {
    cut();
    cwnd_ = 1;
    at_plateau_ = true;
  }

  void limit(std::int32_t packets) { cwnd_ = window() > packets ? packets : cwnd_; }

  // Nothing was sent from `since` until now, which is no part of t (sections 4.2 and 5.8).
  void on_pause(Picoseconds since, Picoseconds now) {
    epoch_ = epoch_ == kNever ? kNever : std::min(epoch_ + (now - since), now);
  }

 private:
  static constexpr double kBeta = 0.7;                             // section 4.6
  static constexpr double kAlpha = 3 * (1 - kBeta) / (1 + kBeta);  // section 4.3
  static constexpr double kLeastThreshold = 2;

  void cut() {
    const bool shrinks = own_.fast_convergence && cwnd_ < w_max_;
    w_max_ = shrinks ? cwnd_ * (1 + kBeta) / 2 : cwnd_;
    cwnd_prior_ = cwnd_;
    ssthresh_ = std::max(cwnd_ * kBeta, kLeastThreshold);
    epoch_ = kNever;
    at_plateau_ = false;
  }

  // Section 4.2: K = cbrt((W_max - cwnd_epoch) / C); 0 after a timeout, and after a slow start that ended
  // without a loss (sections 4.8 and 4.10).
  void begin_epoch(Picoseconds now) {
    epoch_ = now;
    w_est_ = cwnd_;
    if (at_plateau_ || cwnd_ >= w_max_) {
      w_max_ = cwnd_;
      k_s_ = 0;
    } else {
      k_s_ = kit::portable_exp(kit::portable_log((w_max_ - cwnd_) / own_.c) / 3);
    }
    at_plateau_ = false;
  }

  // Equation 1.
  double cubic(double t_s) const {
    const double from_plateau = t_s - k_s_;
    return own_.c * from_plateau * from_plateau * from_plateau + w_max_;
  }

  // Sections 4.2 to 4.5.
  void avoid_congestion(const WindowEvent& ack) {
    const double t_s = kit::seconds(ack.now - epoch_);
    const double acked = ack.acked;
    // Below the window of the last cut the slower growth makes up for the smaller cut.
    w_est_ += (w_est_ < cwnd_prior_ || !own_.reno_at_full_pace ? kAlpha : 1) * acked / cwnd_;
    if (cubic(t_s) < w_est_) {
      cwnd_ = std::max(cwnd_, w_est_);
    } else {
      const double target = std::clamp(cubic(t_s + srtt_s_), cwnd_, 1.5 * cwnd_);
      cwnd_ += (target - cwnd_) * acked / cwnd_;
    }
  }

  double most_ = INT32_MAX;  // the receiver's window
  kit::CubicParameters own_;
  double cwnd_ = 1;
  double ssthresh_ = 0;
  double w_max_ = 0;       // the window before the last cut, or less where it shrinks for newcomers
  double cwnd_prior_ = 0;  // the window before the last cut
  double w_est_ = 0;       // of a Reno with the same average (equation 4)
  double k_s_ = 0;         // until the cubic is back at w_max_
  double srtt_s_ = 0;
  Picoseconds epoch_ = kNever;  // when congestion avoidance began; kNever: it has not
  bool at_plateau_ = true;      // the next one begins at its plateau
  HyStart hystart_;
};

static_assert(CongestionWindow<Cubic>);

}  // namespace packetsim
