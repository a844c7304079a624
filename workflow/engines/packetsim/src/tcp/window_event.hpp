// What a sender with selective acknowledgements tells its congestion window.
#pragma once

#include <cstdint>

#include "kit.hpp"

namespace packetsim {

// A new cumulative acknowledgement outside recovery, or the state at a loss or a timeout.
struct WindowEvent {
  Picoseconds now = 0;
  Picoseconds round_trip = 0;  // of the packet that caused it; 0: it was sent twice
  std::int32_t acked = 0;      // packets acknowledged for the first time
  std::int32_t una = 0;        // the first packet without an acknowledgement
  std::int32_t next = 0;       // the next new one to send
};

}  // namespace packetsim
