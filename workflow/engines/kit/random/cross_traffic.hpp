// Cross traffic: open-loop arrivals at the bottleneck.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/random.hpp"

namespace kit {

// Arrival times at the bottleneck, in order. They depend on nothing else in the network, so they are no
// events: the queue admits those that are due before it is used.
//
// Where the rate has steps, packets come when its integral reaches the phase and then each whole packet
// beyond it, or sums of exponential variables: what would be the number of packets of a constant rate.
class CrossTraffic {
 public:
  CrossTraffic(const CrossTrafficSpec& spec, std::int32_t packet_bytes, std::uint64_t seed)
      : kind_(spec.kind), random_(seed, Stream::kCrossTraffic) {
    if (kind_ == CrossTrafficSpec::Kind::kNone) {
      return;
    }
    if (!spec.rate_steps.empty() || spec.rate_bit_per_s == 0) {
      pieces_.push_back({.at_s = 0, .packets_per_s = spec.rate_bit_per_s / 8 / packet_bytes});
      for (const RateStep& step : spec.rate_steps) {
        pieces_.push_back({.at_s = step.at_s, .packets_per_s = step.rate_bit_per_s / 8 / packet_bytes});
      }
      phase_ = kind_ == CrossTrafficSpec::Kind::kPoisson ? random_.exponential()
               : spec.phase.has_value()                  ? *spec.phase
                                                         : random_.uniform();
      next_ = when(phase_);
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
    if (!pieces_.empty()) [[unlikely]] {
      phase_ += kind_ == CrossTrafficSpec::Kind::kPoisson ? random_.exponential() : 1;
      next_ = when(phase_);
    } else if (kind_ == CrossTrafficSpec::Kind::kPoisson) {
      next_ += picoseconds(period_s_ * random_.exponential());
    } else {
      // From the count, so that no rounding adds up.
      next_ = picoseconds(period_s_ * (phase_ + static_cast<double>(++sent_)));
    }
  }

 private:
  struct Piece {
    double at_s;
    double packets_per_s;  // from then on
  };

  // When the integral of the rate reaches so many packets; kNever: it does not. To be asked for more and
  // more.
  [[gnu::noinline]] Picoseconds when(double packets) {
    for (;; ++piece_) {
      const Piece& piece = pieces_[piece_];
      const bool last = piece_ + 1 == pieces_.size();
      const double end_s = last ? std::numeric_limits<double>::infinity() : pieces_[piece_ + 1].at_s;
      const double left = packets - before_;
      if (left <= piece.packets_per_s * (end_s - piece.at_s) && piece.packets_per_s > 0) {
        return picoseconds(piece.at_s + left / piece.packets_per_s);
      }
      if (last) {
        return kNever;
      }
      before_ += piece.packets_per_s * (end_s - piece.at_s);
    }
  }

  CrossTrafficSpec::Kind kind_;
  Random random_;
  double period_s_ = 0;
  double phase_ = 0;  // of the first packet, in periods; with steps, the integral at the next one
  std::int64_t sent_ = 0;
  std::vector<Piece> pieces_;  // of a rate with steps
  std::size_t piece_ = 0;
  double before_ = 0;  // packets before it
  Picoseconds next_ = kNever;
};

}  // namespace kit
