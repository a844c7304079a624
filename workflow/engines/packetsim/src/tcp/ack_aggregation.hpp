// BBR's allowance for aggregated acknowledgements: the packets acknowledged beyond what the estimated rate
// delivers in that time (draft-cardwell-iccrg-bbr-congestion-control-02, section 4.5.5).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kit.hpp"
#include "tcp/windowed_max.hpp"

namespace packetsim {

class AckAggregation {
 public:
  // The largest excess of the last rounds, in packets.
  double extra() const { return extra_.value(); }

  // `rate` is the estimate in packets per picosecond, `window` the most that can be in excess.
  void on_ack(Picoseconds now, std::int32_t newly_acked, double rate, std::int32_t window,
              std::int64_t round) {
    double expected = rate * static_cast<double>(now - began_);
    if (acked_ <= expected) {
      acked_ = 0;
      began_ = now;
      expected = 0;
    }
    acked_ += newly_acked;
    extra_.update(std::min<double>(acked_ - expected, window), round);
  }

 private:
  static constexpr std::size_t kRounds = 10;  // BBRExtraAckedFilterLen

  WindowedMax<kRounds> extra_;
  double acked_ = 0;  // since `began_`, as long as that is more than expected
  Picoseconds began_ = 0;
};

}  // namespace packetsim
