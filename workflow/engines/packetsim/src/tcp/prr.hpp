// Proportional rate reduction (RFC 9937): how many packets may be in flight after each acknowledgement of a
// recovery, so that the flight shrinks to the threshold without a pause.
#pragma once

#include <algorithm>
#include <cstdint>

namespace packetsim {

// Counts packets, where the RFC counts bytes.
class ProportionalRateReduction {
 public:
  // Section 6.1. `flight` is RecoverFS: the packets that had not been delivered before the acknowledgement
  // that begins the recovery.
  void begin(std::int32_t ssthresh, std::int32_t flight) {
    ssthresh_ = ssthresh;
    flight_ = flight;
    delivered_ = sent_ = 0;
  }

  // Section 6.2, for an acknowledgement that delivers packets. `safe` is SafeACK: a cumulative one that tells
  // of no further loss. Returns how many may be in flight.
  std::int32_t on_ack(std::int32_t delivered, std::int32_t in_flight, bool safe) {
    delivered_ += delivered;
    std::int64_t count = 0;
    if (in_flight > ssthresh_) {
      count = (std::int64_t{delivered_} * ssthresh_ + flight_ - 1) / flight_ - sent_;
    } else {
      // Conservative as long as losses are found, else by a packet faster (PRR-CRB and PRR-SSRB).
      count = std::max(delivered_ - sent_, delivered) + (safe ? 1 : 0);
      count = std::min<std::int64_t>(count, ssthresh_ - in_flight);
    }
    if (sent_ == 0 && count == 0) {
      count = 1;  // the fast retransmit
    }
    return in_flight + static_cast<std::int32_t>(count);
  }

  void aim(std::int32_t ssthresh) { ssthresh_ = ssthresh; }

  // Section 6.3: a packet has gone out.
  void sent() { ++sent_; }

 private:
  std::int32_t ssthresh_ = 0;
  std::int32_t flight_ = 1;
  std::int32_t delivered_ = 0;  // in this recovery
  std::int32_t sent_ = 0;       // in this recovery
};

}  // namespace packetsim
