// HyStart++ (RFC 9406): leaves slow start when round-trip times rise, before packets are lost.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tcp/window.hpp"

namespace packetsim {

class HyStart {
 public:
  // Packets by which the window grows for an acknowledgement, in parts of kParts. Once it has been in
  // conservative slow start for long enough, over() is true.
  static constexpr std::int32_t kParts = 4;  // CSS_GROWTH_DIVISOR

  void start() { *this = HyStart(); }

  bool over() const { return css_rounds_ > kMostCssRounds; }

  // Section 4.2. `ack` is an acknowledgement in slow start.
  std::int32_t on_ack(const WindowEvent& ack) {
    if (ack.una > round_end_) {
      round_end_ = ack.next;
      last_shortest_ = shortest_;
      shortest_ = kNever;
      samples_ = 0;
      css_rounds_ += conservative() ? 1 : 0;
    }
    if (ack.round_trip > 0) {
      shortest_ = std::min(shortest_, ack.round_trip);
      ++samples_;
    }
    if (samples_ >= kSamples) {
      judge();
    }
    const std::int32_t packets = std::min(ack.acked, kMostAtOnce);
    return conservative() ? packets : packets * kParts;
  }

 private:
  static constexpr Picoseconds kLeastRise = 4'000'000'000;  // MIN_RTT_THRESH
  static constexpr Picoseconds kMostRise = 16'000'000'000;  // MAX_RTT_THRESH
  static constexpr Picoseconds kRiseDivisor = 8;            // MIN_RTT_DIVISOR
  static constexpr int kSamples = 8;                        // N_RTT_SAMPLE
  static constexpr int kMostCssRounds = 5;                  // CSS_ROUNDS
  static constexpr std::int32_t kMostAtOnce = 8;            // L

  bool conservative() const { return css_rounds_ > 0; }

  void judge() {
    if (conservative()) {
      if (shortest_ < baseline_) {  // the rise was none: back to slow start
        css_rounds_ = 0;
        baseline_ = kNever;
      }
    } else if (last_shortest_ != kNever &&
               shortest_ >=
                   last_shortest_ + std::clamp(last_shortest_ / kRiseDivisor, kLeastRise, kMostRise)) {
      css_rounds_ = 1;
      baseline_ = shortest_;
    }
  }

  std::int32_t round_end_ = 0;  // the first packet that the round trip did not send yet
  int samples_ = 0;
  int css_rounds_ = 0;  // of conservative slow start, the one under way included; 0: none
  Picoseconds shortest_ = kNever;
  Picoseconds last_shortest_ = kNever;  // of the round trip before
  Picoseconds baseline_ = kNever;       // when conservative slow start began
};

}  // namespace packetsim
