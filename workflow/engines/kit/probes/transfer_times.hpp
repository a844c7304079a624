// How long transfers take, and how much longer than alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives quantiles of the transfers' times, transfer_time[95], and of their slowdown, which is the time over
// the least that the path allows: that of a window without end on the empty path, a round trip and a packet's
// transmission on the slowest link for each further packet. Of pages, the mean time and its quantiles. Of
// several groups the metrics are those of each, transfer_time[name.95].
class TransferTimes : public NoObserver {
 public:
  explicit TransferTimes(const Point& point) {
    for (const SourceGroup& group : point.groups) {
      groups_.push_back(Group(point, group));
      flows_.resize(flows_.size() + static_cast<std::size_t>(group.count), {.group = groups_.size() - 1});
    }
  }

  void warm_up_ended(Picoseconds /*now*/) {
    for (Group& group : groups_) {
      group.times.clear();
      group.slowdowns.clear();
      group.pages.clear();
    }
  }

  void transfer_started(std::int32_t flow, std::int32_t file_packets) {
    flows_[static_cast<std::size_t>(flow)].packets = file_packets;
  }

  void transfer_completed(std::int32_t flow, bool /*in_recovery*/, Picoseconds duration,
                          Picoseconds /*now*/) {
    const Flow& of = flows_[static_cast<std::size_t>(flow)];
    Group& group = groups_[of.group];
    const double least_s = group.round_trip_s + (of.packets - 1) * group.packet_s;
    group.times.push_back(seconds(duration));
    group.slowdowns.push_back(seconds(duration) / least_s);
  }

  void page_completed(std::int32_t flow, Picoseconds duration) {
    groups_[flows_[static_cast<std::size_t>(flow)].group].pages.push_back(seconds(duration));
  }

  void report(ProbeResults& results) const {
    for (const Group& group : groups_) {
      const bool many = groups_.size() > 1;
      const std::string name = many ? "[" + group.name + "]" : "";
      const auto quantiles = [&](const std::string& metric, const char* unit, std::vector<double> values) {
        std::ranges::sort(values);
        for (const int percent : {50, 95, 99}) {
          const std::string of = (many ? group.name + "." : "") + std::to_string(percent);
          results.ratio(metric + "[" + of + "]", unit, quantile(values, percent), values.empty() ? 0 : 1);
        }
      };
      quantiles("transfer_time", "s", group.times);
      results.ratio("slowdown_mean" + name, "1", sum(group.slowdowns),
                    static_cast<double>(group.slowdowns.size()));
      quantiles("slowdown", "1", group.slowdowns);
      results.ratio("page_time_mean" + name, "s", sum(group.pages), static_cast<double>(group.pages.size()));
      quantiles("page_time", "s", group.pages);
    }
  }

 private:
  struct Group {
    Group(const Point& point, const SourceGroup& group) : name(group.name) {
      const auto* dumbbell = std::get_if<Dumbbell>(&point.topology);
      if (dumbbell == nullptr) {
        return;  // whose runs have no probes
      }
      round_trip_s = point.return_delay_s + group.extra_delay_s;
      for (const Link& link : {group.access, Link(dumbbell->bottleneck), dumbbell->egress}) {
        const double transmission_s = 8.0 * point.bytes_of(group.packet_bytes) / link.rate_bit_per_s;
        round_trip_s += transmission_s + link.delay_s;
        packet_s = std::max(packet_s, transmission_s);
      }
      round_trip_s += dumbbell->way_back ? 8.0 * point.ack_bytes / dumbbell->way_back->rate_bit_per_s : 0;
    }

    std::string name;
    double round_trip_s = 1;  // of a packet alone
    double packet_s = 0;      // on the slowest link
    std::vector<double> times = {};
    std::vector<double> slowdowns = {};
    std::vector<double> pages = {};
  };
  struct Flow {
    std::size_t group;
    std::int32_t packets = 0;  // of the present transfer
  };

  static double sum(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
      sum += value;
    }
    return sum;
  }

  // The smallest value that so many percent do not exceed.
  static double quantile(const std::vector<double>& sorted, int percent) {
    const auto rank = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100;
    return sorted.empty() ? 0 : sorted[rank - 1];
  }

  std::vector<Group> groups_;
  std::vector<Flow> flows_;
};

}  // namespace kit
