// The probes that a point asks for, as one observer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include "kit/point/point.hpp"
#include "kit/probes/capacity_sharing.hpp"
#include "kit/probes/drop_positions.hpp"
#include "kit/probes/filter_log.hpp"
#include "kit/probes/loss_recovery.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/queue_trace.hpp"
#include "kit/probes/recovery_trace.hpp"
#include "kit/probes/results.hpp"
#include "kit/probes/size_intervals.hpp"
#include "kit/probes/tahoe_cycles.hpp"
#include "kit/probes/time_to_byte.hpp"
#include "kit/probes/transfer_times.hpp"
#include "kit/probes/window_mean.hpp"
#include "kit/probes/window_trace.hpp"

namespace kit {

// Hands every event to the probes that are there. To add a probe: a file beside these, a member of the tuple,
// a line in the constructor, and its name in Probes (point.hpp).
class ProbeSet {
 public:
  explicit ProbeSet(const Point& point) {
    const auto flows = static_cast<std::size_t>(point.source_count());
    const double packet_bits = 8.0 * point.packet_bytes;
    const Probes& asked = point.probes;
    if (asked.capacity_sharing) {
      std::get<0>(probes_).emplace(flows, packet_bits, point.dumbbell().bottleneck.rate_bit_per_s);
    }
    if (asked.drop_positions) {
      std::get<1>(probes_).emplace();
    }
    if (asked.loss_recovery) {
      std::get<2>(probes_).emplace(flows, packet_bits);
    }
    if (!asked.size_intervals.empty()) {
      std::get<3>(probes_).emplace(flows, packet_bits, asked.size_intervals);
    }
    if (asked.loss_cycles) {
      std::get<4>(probes_).emplace(flows);
    }
    if (asked.window_trace) {
      std::get<5>(probes_).emplace(point.groups);
    }
    if (asked.filter_log) {
      std::get<6>(probes_).emplace(flows, largest_rwnd(point));
    }
    if (asked.queue_trace) {
      std::get<7>(probes_).emplace();
    }
    if (asked.window_mean) {
      std::get<8>(probes_).emplace(point.groups);
    }
    if (asked.time_to_byte) {
      std::get<9>(probes_).emplace(point);
    }
    if (asked.transfer_times) {
      std::get<10>(probes_).emplace(point);
    }
    if (asked.recovery_trace) {
      std::get<11>(probes_).emplace(point.groups);
    }
  }

  void warm_up_ended(Picoseconds now) {
    each([&](auto& probe) { probe.warm_up_ended(now); });
  }
  void transfer_started(std::int32_t flow, std::int32_t file_packets) {
    each([&](auto& probe) { probe.transfer_started(flow, file_packets); });
  }
  void transfer_seen_at_bottleneck(std::int32_t flow, std::size_t active) {
    each([&](auto& probe) { probe.transfer_seen_at_bottleneck(flow, active); });
  }
  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    each([&](auto& probe) { probe.packet_sent(flow, packet, now); });
  }
  void packet_arrived(std::int32_t flow, std::int32_t packet, std::size_t queue, Picoseconds now) {
    each([&](auto& probe) { probe.packet_arrived(flow, packet, queue, now); });
  }
  void packet_dropped(std::int32_t flow, std::int32_t packet) {
    each([&](auto& probe) { probe.packet_dropped(flow, packet); });
  }
  void acknowledgement(std::int32_t flow, std::int32_t missing, Picoseconds now) {
    each([&](auto& probe) { probe.acknowledgement(flow, missing, now); });
  }
  void acknowledged(std::int32_t flow, bool was, bool is, Picoseconds now) {
    each([&](auto& probe) { probe.acknowledged(flow, was, is, now); });
  }
  void window_started(std::int32_t flow, const WindowView& window, Picoseconds now) {
    each([&](auto& probe) { probe.window_started(flow, window, now); });
  }
  void window_moved(std::int32_t flow, const WindowView& window, Picoseconds now) {
    each([&](auto& probe) { probe.window_moved(flow, window, now); });
  }
  void timed_out(std::int32_t flow, const TimeoutState& state, Picoseconds now) {
    each([&](auto& probe) { probe.timed_out(flow, state, now); });
  }
  void transfer_completed(std::int32_t flow, bool in_recovery, Picoseconds duration, Picoseconds now) {
    each([&](auto& probe) { probe.transfer_completed(flow, in_recovery, duration, now); });
  }
  void page_completed(std::int32_t flow, Picoseconds duration) {
    each([&](auto& probe) { probe.page_completed(flow, duration); });
  }
  void measured_until(Picoseconds now) {
    each([&](auto& probe) { probe.measured_until(now); });
  }

  ProbeResults results() const {
    ProbeResults results;
    std::apply([&](const auto&... probe) { ((probe ? probe->report(results) : void()), ...); }, probes_);
    return results;
  }

 private:
  static std::int32_t largest_rwnd(const Point& point) {
    return std::ranges::max(point.groups, {}, [](const SourceGroup& group) { return group.tcp.rwnd_packets; })
        .tcp.rwnd_packets;
  }

  template <class Visit>
  void each(Visit visit) {
    std::apply([&](auto&... probe) { ((probe ? visit(*probe) : void()), ...); }, probes_);
  }

  std::tuple<std::optional<CapacitySharing>, std::optional<DropPositions>, std::optional<LossRecovery>,
             std::optional<SizeIntervals>, std::optional<TahoeCycles>, std::optional<WindowTrace>,
             std::optional<FilterLog>, std::optional<QueueTrace>, std::optional<WindowMean>,
             std::optional<TimeToByte>, std::optional<TransferTimes>, std::optional<RecoveryTrace>>
      probes_;
};

}  // namespace kit
