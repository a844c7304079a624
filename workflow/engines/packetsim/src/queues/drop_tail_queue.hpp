// A drop-tail queue with its queue monitor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "kit/probes/occupancy.hpp"
#include "kit/random/tie_rule.hpp"

namespace packetsim {

// A drop-tail FIFO in front of a link. When a packet departs is known when it arrives, so departures need no
// events: they are caught up with on the next arrival. The buffer counts the packet in service. Where an
// arrival and a departure fall together, the tie rule says whether the arrival finds the departing packet.
class DropTailQueue {
 public:
  DropTailQueue(std::int32_t buffer_packets, Picoseconds service_time, const TieRule& ties = {})
      : buffer_(static_cast<std::size_t>(buffer_packets)),
        service_time_(service_time),
        by_time_(buffer_ + 1),
        by_arrival_(buffer_ + 1, 0),
        ties_(ties),
        lag_(ties.rule() == Bottleneck::Ties::kDepartureFirst ? 0 : 1),
        careful_from_(ties.rule() == Bottleneck::Ties::kRandom ? 0 : buffer_) {}

  // Returns when the packet will have left the link's sender, or kNever if it is dropped.
  [[gnu::always_inline]] Picoseconds arrive(Picoseconds now) {
    depart_until(now - lag_);
    const std::size_t found = by_time_.level();
    if (found >= careful_from_) [[unlikely]] {
      return arrive_carefully(now);
    }
    return admit(found, now);
  }

  // Packets that the last arrival found.
  std::size_t found_on_arrival() const { return found_on_arrival_; }

  // Discards the measurements and keeps the queue.
  void restart_monitor(Picoseconds now) {
    depart_until(now - lag_);
    by_time_.restart(now);
    by_arrival_.assign(by_arrival_.size(), 0);
  }

  // To be called before reading the monitor.
  void close_monitor(Picoseconds now) {
    depart_until(now - lag_);
    by_time_.close(now);
  }

  const std::vector<Picoseconds>& time_at() const { return by_time_.time_at(); }
  const std::vector<std::int64_t>& arrivals_at() const { return by_arrival_; }
  std::int64_t drops() const { return by_arrival_.back(); }  // of arrivals that found the buffer full

 private:
  [[gnu::always_inline]] void depart_until(Picoseconds now) {
    while (by_time_.level() > 0 && next_departure_ <= now) {
      by_time_.move_to(by_time_.level() - 1, next_departure_);
      next_departure_ += service_time_;
    }
  }

  [[gnu::always_inline]] Picoseconds admit(std::size_t found, Picoseconds now) {
    found_on_arrival_ = found;
    ++by_arrival_[found];
    if (found == 0) {
      next_departure_ = now + service_time_;
    }
    by_time_.move_to(found + 1, now);
    const Picoseconds departure = next_departure_ + static_cast<Picoseconds>(found) * service_time_;
    if (departure == kNever) {
      __builtin_unreachable();  // the caller need not look whether a packet that is let in was dropped
    }
    return departure;
  }

  // Out of the way of arrivals that find room and toss no coin.
  [[gnu::noinline]] Picoseconds arrive_carefully(Picoseconds now) {
    if (next_departure_ == now && by_time_.level() > 0 && ties_.departure_first()) {
      depart_until(now);
    }
    const std::size_t found = by_time_.level();
    if (found < buffer_) {
      return admit(found, now);
    }
    found_on_arrival_ = found;
    ++by_arrival_[found];
    return kNever;
  }

  std::size_t buffer_;
  Picoseconds service_time_;
  std::size_t found_on_arrival_ = 0;
  Picoseconds next_departure_ = 0;        // of the packet in service
  Occupancy by_time_;                     // its level is the queue
  std::vector<std::int64_t> by_arrival_;  // arrivals that found so many packets
  TieRule ties_;
  Picoseconds lag_;           // how long after its departure a packet is still found
  std::size_t careful_from_;  // arrivals that find fewer are let in and toss no coin
};

}  // namespace packetsim
