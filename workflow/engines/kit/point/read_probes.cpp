#include <algorithm>
#include <string>
#include <vector>

#include "kit/point/read_parts.hpp"

namespace kit {
namespace {

SizeInterval read_interval(const Json& interval, const JsonReader& reader) {
  const auto bound = [](const Json& value) {
    return value.is_number_integer() && value >= 1 && value <= INT32_MAX;
  };
  if (!interval.is_array() || interval.size() != 2 || !bound(interval[0]) ||
      !(bound(interval[1]) || interval[1].is_null()) || (bound(interval[1]) && interval[1] < interval[0])) {
    reader.fail("intervals", "must hold [low, high] in packets, or [low, null], with low at most high");
  }
  const auto low = interval[0].get<std::int32_t>();
  if (interval[1].is_null()) {
    return {low, INT32_MAX, ">" + std::to_string(low - 1)};
  }
  const auto high = interval[1].get<std::int32_t>();
  return {low, high, std::to_string(low) + "-" + std::to_string(high)};
}

std::vector<SizeInterval> read_intervals(const Json& intervals, const JsonReader& reader) {
  if (!intervals.is_array() || intervals.empty()) {
    reader.fail("intervals", "must be a list of [low, high] in packets");
  }
  std::vector<SizeInterval> result;
  for (const auto& interval : intervals) {
    result.push_back(read_interval(interval, reader));
    if (result.size() > 1 && result.back().low <= result[result.size() - 2].high) {
      reader.fail("intervals",
                  "has " + interval.dump() +
                      ", which overlaps the one before it; must be disjoint and in increasing order");
    }
  }
  return result;
}

}  // namespace

Probes read_probes(JsonReader& reader, const Point& point) {
  const auto is_bulk_tahoe = [](const SourceGroup& group) {
    return group.workload.bulk() && group.tcp.variant == "tahoe";
  };
  Probes probes;
  for (JsonReader& probe : reader.objects("probes")) {
    bool sizes = false;
    *probe.choice<bool*>("kind", {{"capacity-sharing", &probes.capacity_sharing},
                                  {"drop-positions", &probes.drop_positions},
                                  {"loss-recovery", &probes.loss_recovery},
                                  {"loss-cycles", &probes.loss_cycles},
                                  {"window-trace", &probes.window_trace},
                                  {"filter-log", &probes.filter_log},
                                  {"queue-trace", &probes.queue_trace},
                                  {"recovery-trace", &probes.recovery_trace},
                                  {"window-mean", &probes.window_mean},
                                  {"time-to-byte", &probes.time_to_byte},
                                  {"transfer-times", &probes.transfer_times},
                                  {"size-intervals", &sizes}}) = true;
    if (probes.loss_cycles && !std::ranges::all_of(point.groups, is_bulk_tahoe)) {
      probe.fail("kind", "must not be loss-cycles unless all sources are bulk with tcp.variant tahoe");
    }
    if (probes.filter_log && !point.all_bulk()) {
      probe.fail("kind", "must not be filter-log unless all sources are bulk");
    }
    if (sizes) {
      probes.size_intervals = read_intervals(probe.list("intervals"), probe);
    }
    probe.finish();
  }
  return probes;
}

}  // namespace kit
