// One cross flow: a user whose TCP is simplified (section 5.3).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "from_kit.hpp"
#include "window.hpp"

namespace fixed_point {

// A user of any scheme, with the packets left in this on time. A packet lost after the on time has ended is
// added to the next.
struct CrossFlow {
  std::int64_t left = 0;
  Picoseconds on_since = 0;
  Picoseconds due = 0;             // when the packet that is held back would have come (scheme 1)
  std::int32_t largest_queue = 0;  // that it may make
  bool held = false;
};

// The simplified max-plus recursion of scheme 2, seen from the shared router: packet k leaves it at
//   y(k) = max(a(k), y(k-1)) + sigma(k), sigma drawn from the law G of the reference,
// and packet k + 1 arrives when packet k + 1 - v has been acknowledged and come around, but not faster than
// the source sends. Of the acknowledgements the last v are kept, in `around`: a ring, a power of two long.
class CrossWindow {
 public:
  CrossWindow(std::int32_t max_window, bool half_up) : window_(max_window, half_up) {}

  // The next packet has arrived, at `now`, and waits `service` at the head of its flow. What it lets go will
  // arrive `later` than it leaves.
  void arrive(Picoseconds now, Picoseconds service, Picoseconds later, std::span<Picoseconds> around) {
    departure_ = std::max(now, departure_) + service;
    come_around(now, departure_ + later, around);
  }

  // The packet is lost; the source sees that at once, and its replacement arrives `later`.
  void arrive_in_vain(Picoseconds now, Picoseconds later, std::span<Picoseconds> around) {
    come_around(now, now + later, around);
  }

  // A packet of this flow was lost. The window halves once for all that are under way.
  void lose() {
    if (acknowledged_ >= halved_through_) {
      window_.halve();
      halved_through_ = packets_;
    }
  }

  void time_out() {
    window_.time_out();
    halved_through_ = packets_;
  }

  // When the next packet arrives, at least `spacing` after the last.
  Picoseconds next_arrival(Picoseconds spacing, std::span<const Picoseconds> around) {
    Picoseconds next = arrived_ + spacing;
    while (acknowledged_ < packets_ && around_at(around, acknowledged_ + 1) <= next) {
      acknowledge();
    }
    while (packets_ + 1 - window_.size() > acknowledged_) {
      next = std::max(next, around_at(around, acknowledged_ + 1));
      acknowledge();
    }
    return next;
  }

  // When the last packet's acknowledgement would let another one arrive.
  Picoseconds all_around(std::span<const Picoseconds> around) const { return around_at(around, packets_); }

  // A new burst: everything has been acknowledged meanwhile, and after a long pause the connection is new.
  void start(bool idle) {
    while (acknowledged_ < packets_) {
      acknowledge();
    }
    if (idle) {
      window_.begin_again();
    }
  }

  std::int32_t window() const { return window_.size(); }

 private:
  static Picoseconds around_at(std::span<const Picoseconds> ring, std::int64_t number) {
    return ring[static_cast<std::size_t>(number) & (ring.size() - 1)];
  }

  void come_around(Picoseconds now, Picoseconds time, std::span<Picoseconds> around) {
    const Picoseconds last = packets_ == 0 ? 0 : around_at(around, packets_);
    ++packets_;
    around[static_cast<std::size_t>(packets_) & (around.size() - 1)] = std::max(time, last);
    arrived_ = now;
  }

  void acknowledge() {
    ++acknowledged_;
    if (acknowledged_ > halved_through_) {
      window_.acknowledge();
    }
  }

  Window window_;
  std::int64_t packets_ = 0;
  std::int64_t acknowledged_ = 0;
  std::int64_t halved_through_ = 0;
  Picoseconds departure_ = 0;
  Picoseconds arrived_ = 0;
};

}  // namespace fixed_point
