// Measurements of each of several groups of sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit/main/measurements.hpp"
#include "kit/main/units.hpp"
#include "kit/point/point.hpp"

namespace kit {

class GroupCounts {
 public:
  explicit GroupCounts(const Point& point) : measurements_(point.groups.size()) {
    for (std::size_t index = 0; index < point.groups.size(); ++index) {
      group_of_.insert(group_of_.end(), static_cast<std::size_t>(point.groups[index].count), index);
    }
    restart();
  }

  // The index of a flow's group.
  std::size_t group_of(std::int32_t flow) const { return group_of_[static_cast<std::size_t>(flow)]; }

  // The end of the warm-up.
  void restart() {
    measurements_.assign(measurements_.size(), {});
    acknowledged_.assign(group_of_.size(), 0);
  }

  void count_acknowledged(std::int32_t flow, std::int32_t packets) {
    measurements_[group_of(flow)].packets.acknowledged += packets;
    acknowledged_[static_cast<std::size_t>(flow)] += packets;
  }

  void count_carried(std::int32_t flow, Picoseconds round_trip) {
    PacketSums& sums = measurements_[group_of(flow)].packets;
    ++sums.carried;
    sums.round_trip_ps += static_cast<double>(round_trip);
  }

  // What an acknowledgement waited on its way back.
  void count_waited(std::int32_t flow, Picoseconds time) {
    measurements_[group_of(flow)].packets.round_trip_ps += static_cast<double>(time);
  }

  void count_connection(std::int32_t flow, std::int32_t file_packets, Picoseconds duration) {
    ConnectionSums& sums = measurements_[group_of(flow)].connections;
    ++sums.connections;
    sums.packets += file_packets;
    sums.duration += duration;
  }

  void count_own_time(std::int32_t flow, Picoseconds time) { measurements_[group_of(flow)].own_time += time; }

  // Of a file or page that comes by itself; `source`: any of its group.
  void count_arrival(std::int32_t source, bool admitted) {
    GroupMeasurements& group = measurements_[group_of(source)];
    ++group.arrivals;
    group.refused += admitted ? 0 : 1;
  }

  const std::vector<GroupMeasurements>& measurements() const { return measurements_; }
  const std::vector<std::int64_t>& acknowledged() const { return acknowledged_; }

 private:
  std::vector<std::size_t> group_of_;  // each flow
  std::vector<GroupMeasurements> measurements_;
  std::vector<std::int64_t> acknowledged_;  // packets of each flow
};

}  // namespace kit
