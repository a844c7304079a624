// SPDX-License-Identifier: GPL-2.0-only
// What is measured at the bottleneck's entry: its queue, over time and on arrival, and the connections that
// are ON (Zaragoza 2014, section 3.4).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit/main/measurements.hpp"
#include "kit/main/units.hpp"
#include "kit/probes/occupancy.hpp"

namespace tcp_atlas {

class BottleneckMonitor {
 public:
  // `buffer`: the largest queue that the distributions are to have a place for, whether it is reached or not.
  BottleneckMonitor(std::size_t sources, std::size_t buffer)
      : queue_(buffer + 1), found_(buffer + 1, 0), active_(sources + 1) {}

  // Packets at the bottleneck.
  std::size_t present() const { return queue_.level(); }

  // A packet comes and finds so many.
  void packet_arrived(std::size_t found) {
    found_.resize(std::max(found_.size(), found + 1), 0);
    ++found_[found];
  }

  void packet_dropped() { ++drops_; }

  // A transfer's first packet is seen; it is ON from then on.
  void transfer_began(kit::Picoseconds now) { active_.move_to(active_.level() + 1, now); }

  // Connections that are ON.
  std::size_t active() const { return active_.level(); }

  void queue_changed(std::size_t present, kit::Picoseconds now) {
    queue_.make_room_for(present);
    queue_.move_to(present, now);
  }

  void transfer_completed(kit::Picoseconds now) { active_.move_to(active_.level() - 1, now); }

  // Forgets what was measured.
  void restart(kit::Picoseconds now) {
    queue_.restart(now);
    active_.restart(now);
    found_.assign(found_.size(), 0);
    drops_ = 0;
  }

  void write_to(kit::Measurements& measurements, kit::Picoseconds now) {
    queue_.close(now);
    active_.close(now);
    measurements.queue_time_at = queue_.time_at();
    measurements.queue_arrivals_at = found_;
    measurements.queue_drops = drops_;
    measurements.active_time_at = active_.time_at();
  }

 private:
  kit::Occupancy queue_;
  std::vector<std::int64_t> found_;  // arrivals that found so many packets
  std::int64_t drops_ = 0;
  kit::Occupancy active_;
};

}  // namespace tcp_atlas
