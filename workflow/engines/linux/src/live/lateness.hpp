#pragma once

#include <algorithm>
#include <cstdint>

#include "units.hpp"

namespace linux_engine {

// How late an emulator hands packets over. On a busy processor it is, packets then come in bursts, and what
// was measured is the processor's load. A run is refused if more than one delivery in a hundred came later
// than the transmission of a packet of full size takes.
class Lateness {
 public:
  explicit Lateness(Nanoseconds full_packet) : full_packet_(full_packet) {}

  void record(Nanoseconds late) {
    ++deliveries_;
    sum_ += late;
    worst_ = std::max(worst_, late);
    if (late > full_packet_) {
      ++beyond_;
    }
  }

  bool too_late() const { return beyond_ * 100 > deliveries_; }
  std::uint64_t deliveries() const { return deliveries_; }
  std::uint64_t beyond() const { return beyond_; }
  Nanoseconds worst() const { return worst_; }
  double mean_seconds() const {
    return deliveries_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(deliveries_) / 1e9;
  }

 private:
  Nanoseconds full_packet_;
  std::uint64_t deliveries_ = 0, beyond_ = 0;
  Nanoseconds sum_ = 0, worst_ = 0;
};

}  // namespace linux_engine
