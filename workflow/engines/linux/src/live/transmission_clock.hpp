#pragma once

#include "units.hpp"

namespace linux_engine {

// When packets start and end their transmission on a link of a constant rate, one after the other. Inside a
// busy period the fractions of a nanosecond are carried from packet to packet, so that each time is the exact
// one, rounded down.
class TransmissionClock {
 public:
  struct Transmission {
    Nanoseconds start;
    Nanoseconds end;
  };

  // rate: bits per second, above 0.
  explicit TransmissionClock(std::int64_t rate_bit_per_s) : rate_bit_per_s_(rate_bit_per_s) {}

  // The transmission of a packet that arrives at `arrival`, no earlier than the packet before it.
  Transmission transmit(Nanoseconds arrival, std::int64_t bytes);

 private:
  std::int64_t rate_bit_per_s_;
  Nanoseconds free_at_ = 0;
  std::int64_t carry_ = 0;  // in nanoseconds / rate, below 1 ns
};

}  // namespace linux_engine
