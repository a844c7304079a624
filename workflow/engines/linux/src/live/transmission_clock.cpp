#include "live/transmission_clock.hpp"

namespace linux_engine {

TransmissionClock::Transmission TransmissionClock::transmit(Nanoseconds arrival, std::int64_t bytes) {
  if (arrival > free_at_) {
    free_at_ = arrival;
    carry_ = 0;
  }
  const Nanoseconds start = free_at_;
  const std::int64_t scaled = bytes * 8 * kNanosecondsPerSecond + carry_;
  free_at_ += scaled / rate_bit_per_s_;
  carry_ = scaled % rate_bit_per_s_;
  return {start, free_at_};
}

}  // namespace linux_engine
