// Reno as the fixed-point simulation has it (Baccelli, Hong and Liu 2001, section 7.1: a loss halves the
// window, a timeout takes it to one), which is RFC 5681 without the corrections of NewReno: any new
// acknowledgement ends a fast recovery. So of several losses in one window each halves the window again, or
// waits for the timer where too few duplicates are left (Fall and Floyd 1996, section 3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tcp/tcp_state.hpp"
#include "tcp/window_growth.hpp"

namespace packetsim {

class Reno {
 public:
  static constexpr std::string_view kName = "reno";

  bool in_recovery() const { return in_recovery_; }

  Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t /*acked*/) {
    if (in_recovery_) {
      in_recovery_ = false;
      tcp.cwnd = tcp.ssthresh;
      growth_.restart();
    } else {
      growth_.grow(tcp, limits, tcp.cwnd < tcp.ssthresh);
    }
    return {.send_new = true};
  }

  Decision on_duplicate_ack(TcpState& tcp, const TcpLimits& limits) {
    if (in_recovery_) {
      tcp.cwnd = std::min(tcp.cwnd + 1, limits.rwnd);
      return {.send_new = true};
    }
    if (!tcp.loss_found(sent_at_timeout_)) {
      return {};
    }
    in_recovery_ = true;
    halve(tcp);
    tcp.cwnd = std::min(tcp.ssthresh + kDuplicateThreshold, limits.rwnd);
    return {.retransmit_first = true};
  }

  // Called before `tcp.next` falls back to `tcp.una`.
  void on_timeout(TcpState& tcp) {
    in_recovery_ = false;
    sent_at_timeout_ = tcp.highest_sent;
    halve(tcp);
    tcp.cwnd = 1;
    growth_.restart();
  }

 private:
  static void halve(TcpState& tcp) { tcp.ssthresh = std::max(tcp.cwnd / 2, 2); }

  // The highest packet sent when the timer last ran out: up to it, packets are sent again.
  std::int32_t sent_at_timeout_ = TcpState::kNothing;
  WindowGrowth growth_;
  bool in_recovery_ = false;
};

}  // namespace packetsim
