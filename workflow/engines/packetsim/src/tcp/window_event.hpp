// What a sender with selective acknowledgements tells its congestion window.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "tcp/delivery_rate.hpp"

namespace packetsim {

// A new cumulative acknowledgement outside recovery, or the state at a loss or a timeout.
struct WindowEvent {
  Picoseconds now = 0;
  Picoseconds round_trip = 0;  // of the packet that caused it; 0: it was sent twice
  std::int32_t acked = 0;      // packets acknowledged for the first time
  std::int32_t una = 0;        // the first packet without an acknowledgement
  std::int32_t next = 0;       // the next new one to send
};

// Any acknowledgement, for windows that want to hear of all (`on_delivery`): in a recovery, too.
struct DeliveryEvent {
  Picoseconds now = 0;
  Picoseconds round_trip = 0;        // of the packet that caused it; 0: it was sent twice
  std::int32_t delivered = 0;        // packets that arrived for the first time
  std::int32_t lost = 0;             // packets found to be lost
  std::int32_t prior_in_flight = 0;  // before
  std::int32_t in_flight = 0;        // sent, not arrived and not known to be lost
  std::int32_t una = 0;              // the first packet without an acknowledgement
  RateSample rate;
};

}  // namespace packetsim
