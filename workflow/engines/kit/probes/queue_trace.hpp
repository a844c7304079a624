// The bottleneck's queue against time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives the trace "queue": the packets that an arriving one finds, wherever they differ from what the last
// one found.
class QueueTrace : public NoObserver {
 public:
  void warm_up_ended(Picoseconds now) {
    trace_.time_s.clear();
    trace_.value.clear();
    began_ = now;
  }

  void packet_arrived(std::int32_t, std::int32_t, std::size_t queue, Picoseconds now) {
    const auto found = static_cast<double>(queue);
    if (trace_.value.empty() || trace_.value.back() != found) {
      trace_.time_s.push_back(seconds(now - began_));
      trace_.value.push_back(found);
    }
  }

  void report(ProbeResults& results) const { results.traces.push_back(trace_); }

 private:
  Trace trace_{.name = "queue", .unit = "packets", .time_s = {}, .value = {}};
  Picoseconds began_ = 0;
};

}  // namespace kit
