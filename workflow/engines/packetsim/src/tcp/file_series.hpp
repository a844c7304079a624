// The files that one connection carries, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// The files of a connection that lives on are one file to its sender, which grows; after a long pause the
// connection begins anew.
class FileSeries {
 public:
  // Hands the next file to the sender. Calls begin() before, if it is a connection's first.
  template <class Sender, class Begin, class Send>
  void carry_next(std::int64_t packets, bool after_long_pause, Sender& sender, const TcpLimits& limits,
                  Picoseconds now, Begin begin, Send send) {
    const bool first = carried_ == 0;
    // Nobody sends more in a run.
    const auto count = static_cast<std::int32_t>(std::min(packets, kMost - carried_));
    carried_ += count;
    // Only once all has been acknowledged: else a later end of the last file would be taken for this one's.
    if (first || (after_long_pause && sender.done())) {
      carried_ = count;
      begin();
      sender.start(count, limits, now, send);
    } else {
      sender.resume(count, limits, now, send);
    }
  }

 private:
  static constexpr std::int64_t kMost = 2'000'000'000;

  std::int64_t carried_ = 0;  // packets of this connection's files
};

}  // namespace packetsim
