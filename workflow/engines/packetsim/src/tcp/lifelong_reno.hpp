// Reno of a connection that outlives its files, with a real-valued window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tcp/tcp_state.hpp"

namespace packetsim {

// As Reno (see reno.hpp), but congestion avoidance adds 1 / cwnd for an acknowledgement, as RFC 5681 has it
// in bytes and ns-2 in packets; what is sent is the window's integer part, and half of that, again without a
// fraction, is what a loss leaves. So did ns-2 until 2006 (its precision_reduce_ is newer). With
// `once_per_window` there is no second halving for packets that were sent before the first (its bug_fix_):
// their losses wait for the timer.
class LifelongReno {
 public:
  static constexpr bool kPersistent = true;

  explicit LifelongReno(bool once_per_window = true) : once_per_window_(once_per_window) {}

  void restart() { *this = LifelongReno(once_per_window_); }

  bool in_recovery() const { return in_recovery_; }

  Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t /*acked*/) {
    in_recovery_ = false;
    window_ =
        std::min(window_ + (window_ < tcp.ssthresh ? 1 : 1 / window_), static_cast<double>(limits.rwnd));
    tcp.cwnd = static_cast<std::int32_t>(window_);
    return {.send_new = true};
  }

  Decision on_duplicate_ack(TcpState& tcp, const TcpLimits& limits) {
    if (in_recovery_) {
      tcp.cwnd = std::min(tcp.cwnd + 1, limits.rwnd);
      return {.send_new = true};
    }
    if (!tcp.loss_found(recover_)) {
      return {};
    }
    in_recovery_ = true;
    recover_ = once_per_window_ ? tcp.highest_sent : recover_;
    const std::int32_t half = std::max(static_cast<std::int32_t>(window_) / 2, 1);
    window_ = half;
    tcp.ssthresh = std::max(half, 2);
    tcp.cwnd = std::min(half + kDuplicateThreshold, limits.rwnd);
    return {.retransmit_first = true};
  }

  // Called before `tcp.next` falls back to `tcp.una`.
  void on_timeout(TcpState& tcp) {
    in_recovery_ = false;
    recover_ = tcp.highest_sent;
    tcp.ssthresh = std::max(static_cast<std::int32_t>(window_) / 2, 2);
    window_ = tcp.cwnd = 1;
  }

 private:
  bool once_per_window_;
  bool in_recovery_ = false;
  std::int32_t recover_ = TcpState::kNothing;  // up to it, duplicates mean no new loss
  double window_ = 1;
};

}  // namespace packetsim
