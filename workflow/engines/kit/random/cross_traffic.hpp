// Cross traffic: open-loop arrivals at the bottleneck.
#pragma once

#include <cstdint>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/random.hpp"

namespace kit {

// Arrival times at the bottleneck, in order. They depend on nothing else in the network, so they are no
// events: the queue admits those that are due before it is used.
class CrossTraffic {
 public:
  CrossTraffic(const CrossTrafficSpec& spec, std::int32_t packet_bytes, std::uint64_t seed)
      : kind_(spec.kind), random_(seed, Stream::kCrossTraffic) {
    if (kind_ == CrossTrafficSpec::Kind::kNone) {
      return;
    }
    period_s_ = packet_bytes * 8 / spec.rate_bit_per_s;
    if (kind_ == CrossTrafficSpec::Kind::kPoisson) {
      next_ = picoseconds(period_s_ * random_.exponential());
    } else {
      phase_ = spec.phase.has_value() ? *spec.phase : random_.uniform();
      next_ = picoseconds(period_s_ * phase_);
    }
  }

  // When the next packet arrives; kNever: there is no cross traffic.
  Picoseconds next() const { return next_; }

  void advance() {
    if (kind_ == CrossTrafficSpec::Kind::kPoisson) {
      next_ += picoseconds(period_s_ * random_.exponential());
    } else {
      // From the count, so that no rounding adds up.
      next_ = picoseconds(period_s_ * (phase_ + static_cast<double>(++sent_)));
    }
  }

 private:
  CrossTrafficSpec::Kind kind_;
  Random random_;
  double period_s_ = 0;
  double phase_ = 0;  // of the first packet, in periods
  std::int64_t sent_ = 0;
  Picoseconds next_ = kNever;
};

}  // namespace kit
