// Tahoe as of 1997 (Altman, Bolot, Nain et al., section 2, equations 7 and 8; Jacobson 1988): slow start
// while the window is below the threshold, one packet per window of acknowledgements above it, and after a
// loss, however found, the window starts from one and the sender goes back to the first unacknowledged
// packet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tcp/tcp_state.hpp"
#include "tcp/window_growth.hpp"

namespace packetsim {

class Tahoe {
 public:
  static constexpr std::string_view kName = "tahoe";

  // There is no fast recovery: every packet may give a round-trip sample, unless it was sent twice.
  bool in_recovery() const { return false; }

  Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t /*acked*/) {
    growth_.grow(tcp, limits, tcp.cwnd < tcp.ssthresh);
    return {.send_new = true};
  }

  Decision on_duplicate_ack(TcpState& tcp, const TcpLimits& /*limits*/) {
    if (!tcp.loss_found(recover_)) {
      return {};
    }
    reduce(tcp);
    tcp.next = tcp.una + 1;
    return {.retransmit_first = true};
  }

  // Called before `tcp.next` falls back to `tcp.una`.
  void on_timeout(TcpState& tcp) { reduce(tcp); }

 private:
  void reduce(TcpState& tcp) {
    tcp.ssthresh = std::max(tcp.cwnd / 2, 2);
    tcp.cwnd = 1;
    recover_ = tcp.highest_sent;
    growth_.restart();
  }

  // Highest packet sent when the last loss was found: up to it, going back sends packets again.
  std::int32_t recover_ = TcpState::kNothing;
  WindowGrowth growth_;
};

}  // namespace packetsim
