// The time a counter spends at each of its levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit/main/units.hpp"

namespace kit {

// Time at each level from 0 to `levels` - 1, in whole picoseconds, so that the total is exact.
class Occupancy {
 public:
  explicit Occupancy(std::size_t levels) : time_at_(levels, 0) {}

  std::size_t level() const { return level_; }

  // For counters whose highest level is not known in advance.
  void make_room_for(std::size_t level) {
    if (level >= time_at_.size()) {
      time_at_.resize(level + 1, 0);
    }
  }

  void move_to(std::size_t level, Picoseconds now) {
    time_at_[level_] += now - since_;
    since_ = now;
    level_ = level;
  }

  // Discards the times and keeps the level.
  void restart(Picoseconds now) {
    time_at_.assign(time_at_.size(), 0);
    since_ = now;
  }

  // To be called before reading.
  void close(Picoseconds now) { move_to(level_, now); }

  const std::vector<Picoseconds>& time_at() const { return time_at_; }

 private:
  std::vector<Picoseconds> time_at_;
  std::size_t level_ = 0;
  Picoseconds since_ = 0;
};

}  // namespace kit
