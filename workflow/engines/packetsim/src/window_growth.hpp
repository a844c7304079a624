// How the window grows between losses, whatever a loss does to it.
#pragma once

#include <cstdint>

#include "tcp_state.hpp"

namespace packetsim {

// One packet per acknowledgement in slow start, one per window of acknowledgements in congestion avoidance,
// and never above the receiver's window. 1/floor(W) per acknowledgement adds up to one packet in floor(W) of
// them, so they can be counted and nothing is lost to rounding.
class WindowGrowth {
 public:
  // Whatever else sets the window begins a new count.
  void restart() { acks_ = 0; }

  void grow(TcpState& tcp, const TcpLimits& limits, bool slow_start) {
    if (tcp.cwnd >= limits.rwnd) {
      return;
    }
    if (slow_start) {
      ++tcp.cwnd;
    } else if (++acks_ >= tcp.cwnd) {
      acks_ = 0;
      ++tcp.cwnd;
    }
  }

 private:
  std::int32_t acks_ = 0;  // since cwnd last grew in congestion avoidance
};

}  // namespace packetsim
