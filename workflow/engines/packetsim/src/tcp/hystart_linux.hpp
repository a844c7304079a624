// HyStart as Linux 6.1's CUBIC has it (net/ipv4/tcp_cubic.c, hystart_update): slow start ends at the first
// sign of a queue, without the rounds in which HyStart++ (hystart.hpp) makes sure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tcp/window.hpp"

namespace packetsim {

class HyStartLinux {
 public:
  // Whether slow start ends with this acknowledgement: acknowledgements have come close together for half of
  // the least round trip and a margin, or the round trip has risen. `delay_least`: the least round trip so
  // far.
  bool ends(const WindowEvent& ack, std::int32_t cwnd, Picoseconds delay_least) {
    if (over_) {
      return false;
    }
    if (ack.una > round_end_) {  // however small the window
      round_end_ = ack.next;
      round_start_ = last_ack_ = ack.now;
      shortest_ = kNever;
      samples_ = 0;
    }
    if (cwnd < kLeastWindow) {
      return false;
    }
    if (ack.now - last_ack_ <= kClose) {
      last_ack_ = ack.now;
      over_ = ack.now - round_start_ > (delay_least + kMargin) / 2;
    }
    shortest_ = std::min(shortest_, ack.round_trip);
    if (samples_ < kSamples) {
      ++samples_;
    } else {
      over_ = over_ || shortest_ > delay_least + std::clamp(delay_least / 8, kLeastRise, kMostRise);
    }
    return over_;
  }

 private:
  static constexpr std::int32_t kLeastWindow = 16;          // hystart_low_window
  static constexpr Picoseconds kClose = 2'000'000'000;      // hystart_ack_delta_us
  static constexpr Picoseconds kMargin = 1'000'000'000;     // of segmentation offload, below 2 Gbit/s
  static constexpr Picoseconds kLeastRise = 4'000'000'000;  // HYSTART_DELAY_MIN
  static constexpr Picoseconds kMostRise = 16'000'000'000;  // HYSTART_DELAY_MAX
  static constexpr int kSamples = 8;                        // HYSTART_MIN_SAMPLES

  bool over_ = false;
  int samples_ = 0;
  std::int32_t round_end_ = 0;
  Picoseconds round_start_ = 0;
  Picoseconds last_ack_ = 0;
  Picoseconds shortest_ = kNever;  // round trip of the round
};

}  // namespace packetsim
