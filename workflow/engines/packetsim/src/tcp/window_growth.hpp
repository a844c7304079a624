// Window growth between losses: slow start and congestion avoidance.
#pragma once

#include <cstdint>

#include "tcp/tcp_state.hpp"

namespace packetsim {

// One packet per acknowledgement in slow start, one per window of acknowledgements in congestion avoidance,
// and never above the receiver's window. 1/floor(W) per acknowledgement adds up to one packet in floor(W) of
// them, so they can be counted and nothing is lost to rounding.
class WindowGrowth {
 public:
  // To be called when cwnd is set to another value: the count of acknowledgements begins again.
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
