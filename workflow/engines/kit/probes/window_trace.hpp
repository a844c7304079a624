// A sender's window against time.
#pragma once

#include <cstdint>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives the trace "window" of the first source: what it is when the warm-up ends, and whenever it changes.
class WindowTrace : public NoObserver {
 public:
  WindowTrace() : trace_{.name = "window", .unit = "packets", .time_s = {}, .value = {}} {}

  void warm_up_ended(Picoseconds now) {
    trace_.time_s.assign(1, 0);
    trace_.value.assign(1, window_);
    began_ = now;
  }

  void window_moved(std::int32_t flow, const WindowView& window, Picoseconds now) {
    if (flow != 0 || window.cwnd == window_) {
      return;
    }
    window_ = window.cwnd;
    trace_.time_s.push_back(seconds(now - began_));
    trace_.value.push_back(window_);
  }

  void report(ProbeResults& results) const { results.traces.push_back(trace_); }

 private:
  Trace trace_;
  Picoseconds began_ = 0;
  std::int32_t window_ = 0;
};

}  // namespace kit
