// The groups of sources on a dumbbell: what their senders, paths and workloads have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kit.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/random/distributions.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

inline TcpLimits limits_of(const Tcp& tcp) {
  return {.rwnd = tcp.rwnd_packets,
          .initial_window = tcp.initial_window_packets,
          .min_rto = picoseconds(tcp.min_rto_s),
          .max_rto = picoseconds(tcp.max_rto_s),
          .clock_tick = picoseconds(tcp.clock_tick_s)};
}

struct Group {
  Group(const Point& point, const SourceGroup& group)
      : limits(limits_of(group.tcp)),
        access_time(transmission_time(point.packet_bytes, group.access.rate_bit_per_s)),
        access_delay(picoseconds(group.access.delay_s)),
        return_delay(picoseconds(point.return_delay_s) + picoseconds(group.extra_delay_s)),
        file_sizes(group.file_size),
        off_time(group.off_time),
        variant(group.tcp.variant) {}

  TcpLimits limits;
  Picoseconds access_time;
  Picoseconds access_delay;
  Picoseconds return_delay;
  FileSizeSampler file_sizes;
  OffTime off_time;
  std::string variant;
};

// All sources are alike: what they have in common is looked up nowhere, and nothing is counted for each of
// them.
class OneGroup {
 public:
  static constexpr bool kMany = false;

  explicit OneGroup(const Point& point) : group_(point, point.groups.front()) {}

  const Group& of(std::int32_t /*flow*/) const { return group_; }
  std::int32_t largest_rwnd() const { return group_.limits.rwnd; }

 private:
  Group group_;
};

// Several groups, with counts for each group and source.
class ManyGroups {
 public:
  static constexpr bool kMany = true;

  explicit ManyGroups(const Point& point) {
    for (const SourceGroup& group : point.groups) {
      group_of_.insert(group_of_.end(), static_cast<std::size_t>(group.count), groups_.size());
      groups_.emplace_back(point, group);
    }
    restart_measurements();
  }

  const Group& of(std::int32_t flow) const { return groups_[index(flow)]; }

  std::int32_t largest_rwnd() const {
    return std::ranges::max(groups_, {}, [](const Group& group) { return group.limits.rwnd; }).limits.rwnd;
  }

  void restart_measurements() {
    measurements_.assign(groups_.size(), {});
    acknowledged_.assign(group_of_.size(), 0);
  }

  void count_acknowledged(std::int32_t flow, std::int32_t packets) {
    measurements_[index(flow)].packets.acknowledged += packets;
    acknowledged_[static_cast<std::size_t>(flow)] += packets;
  }

  void count_carried(std::int32_t flow, Picoseconds round_trip) {
    PacketSums& sums = measurements_[index(flow)].packets;
    ++sums.carried;
    sums.round_trip_ps += static_cast<double>(round_trip);
  }

  void count_connection(std::int32_t flow, std::int32_t file_packets, Picoseconds duration) {
    ConnectionSums& sums = measurements_[index(flow)].connections;
    ++sums.connections;
    sums.packets += file_packets;
    sums.duration += duration;
  }

  const std::vector<GroupMeasurements>& measurements() const { return measurements_; }
  const std::vector<std::int64_t>& acknowledged() const { return acknowledged_; }

 private:
  std::size_t index(std::int32_t flow) const { return group_of_[static_cast<std::size_t>(flow)]; }

  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // each flow
  std::vector<GroupMeasurements> measurements_;
  std::vector<std::int64_t> acknowledged_;  // packets of each flow
};

}  // namespace packetsim
