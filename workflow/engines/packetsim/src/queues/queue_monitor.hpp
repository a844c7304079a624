// What a queue shows of itself: the time at each length, what arrivals find, and drops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "kit/probes/occupancy.hpp"

namespace packetsim {

// The monitor of a queue whose departures are asked for one by one: the queue is derived from it. Lengths
// count the packet in service.
class QueueMonitor {
 protected:
  QueueMonitor() = default;

  void count_arrival() {
    found_on_arrival_ = present();
    if (found_on_arrival_ >= by_arrival_.size()) {
      by_arrival_.resize(found_on_arrival_ + 1, 0);
    }
    ++by_arrival_[found_on_arrival_];
  }
  void count_drop() { ++drops_; }
  void move_to(std::size_t present, Picoseconds now) {
    by_time_.make_room_for(present);
    by_time_.move_to(present, now);
  }

 public:
  // Packets here, the one in service included.
  std::size_t present() const { return by_time_.level(); }

  // Packets that the last arrival found.
  std::size_t found_on_arrival() const { return found_on_arrival_; }

  // Discards the measurements and keeps the queue.
  void restart_monitor(Picoseconds now) {
    by_time_.restart(now);
    by_arrival_.assign(by_arrival_.size(), 0);
    drops_ = 0;
  }
  // To be called before reading the monitor.
  void close_monitor(Picoseconds now) { by_time_.close(now); }

  // Up to the largest number that there ever was.
  const std::vector<Picoseconds>& time_at() const { return by_time_.time_at(); }
  const std::vector<std::int64_t>& arrivals_at() const { return by_arrival_; }
  std::int64_t drops() const { return drops_; }

 private:
  std::size_t found_on_arrival_ = 0;
  Occupancy by_time_{1};
  std::vector<std::int64_t> by_arrival_ =
      std::vector<std::int64_t>(1, 0);  // arrivals that found so many packets
  std::int64_t drops_ = 0;
};

}  // namespace packetsim
