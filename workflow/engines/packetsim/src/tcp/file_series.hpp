// The files that one connection carries, one after the other.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "kit/point/most_packets.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// The files of a persistent connection are one file to its sender, which grows; after a long pause the
// connection begins anew.
class FileSeries {
 public:
  // Hands the next file to the sender. Calls begin() before, if it is a connection's first. Throws
  // Unsupported for more than a connection can number.
  template <class Sender, class Begin, class Send>
  void carry_next(std::int64_t packets, bool after_long_pause, Sender& sender, const TcpLimits& limits,
                  Picoseconds now, Begin begin, Send send) {
    const bool first = carried_ == 0;
    // Only once all has been acknowledged: else a later end of the last file would be taken for this one's.
    const bool anew = first || (after_long_pause && sender.done());
    carried_ = anew ? packets : carried_ + packets;
    if (carried_ > kit::kMostPackets) {
      kit::numbers_ended();
    }
    const auto count = static_cast<std::int32_t>(packets);
    if (anew) {
      begin();
      sender.start(count, limits, now, send);
    } else {
      sender.resume(count, limits, now, send);
    }
  }

 private:
  std::int64_t carried_ = 0;  // packets of this connection's files
};

}  // namespace packetsim
