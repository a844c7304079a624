// The retransmission timeout of RFC 6298 with a clock that ticks (section 7.1).
#pragma once

#include <algorithm>
#include <cstdlib>

#include "from_kit.hpp"

namespace fixed_point {

struct RtoLimits {
  Picoseconds tick;
  Picoseconds min;
};

class Rto {
 public:
  void sample(Picoseconds rtt) {
    backoff_ = 0;
    if (srtt_ == 0) {
      srtt_ = rtt;
      variation_ = rtt / 2;
      return;
    }
    variation_ += (std::abs(rtt - srtt_) - variation_) / 4;
    srtt_ += (rtt - srtt_) / 8;
  }

  // Doubles what follows until the next sample (RFC 6298, 5.5).
  void back_off() { backoff_ = std::min(backoff_ + 1, 6); }

  // In whole ticks; 3 s before the first sample (RFC 2988, of the paper's time).
  Picoseconds value(const RtoLimits& limits) const {
    const Picoseconds estimate = srtt_ == 0 ? kInitial : srtt_ + 4 * variation_;
    const Picoseconds ticks = (estimate + limits.tick - 1) / limits.tick * limits.tick;
    return std::max(ticks, limits.min) << backoff_;
  }

 private:
  static constexpr Picoseconds kInitial = 3'000'000'000'000;
  Picoseconds srtt_ = 0;
  Picoseconds variation_ = 0;
  int backoff_ = 0;
};

}  // namespace fixed_point
