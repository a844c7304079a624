// Senders' windows against time.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives the trace "window" of the first source: what it is when the warm-up ends, and whenever it changes; 0
// between two transfers. Of several groups each first source has one, with the group's name in brackets.
class WindowTrace : public NoObserver {
 public:
  explicit WindowTrace(const std::vector<SourceGroup>& groups = {}) {
    std::int32_t first = 0;
    for (const SourceGroup& group : groups) {
      follow(first, groups.size() > 1 ? "window[" + group.name + "]" : "window");
      first += group.count;
    }
    if (groups.empty()) {
      follow(0, "window");
    }
  }

  void warm_up_ended(Picoseconds now) {
    began_ = now;
    for (Followed& source : followed_) {
      source.trace.time_s.assign(1, 0);
      source.trace.value.assign(1, source.window);
    }
  }

  void window_moved(std::int32_t flow, const WindowView& window, Picoseconds now) {
    move(flow, window.cwnd, now);
  }

  void transfer_completed(std::int32_t flow, bool, Picoseconds, Picoseconds now) { move(flow, 0, now); }

  void report(ProbeResults& results) const {
    for (const Followed& source : followed_) {
      results.traces.push_back(source.trace);
    }
  }

 private:
  struct Followed {
    std::int32_t flow;
    std::int32_t window;
    Trace trace;
  };

  void follow(std::int32_t flow, std::string name) {
    followed_.push_back({flow, 0, {.name = std::move(name), .unit = "packets", .time_s = {}, .value = {}}});
  }

  void move(std::int32_t flow, std::int32_t window, Picoseconds now) {
    for (Followed& source : followed_) {
      if (flow == source.flow && window != source.window) {
        source.window = window;
        source.trace.time_s.push_back(seconds(now - began_));
        source.trace.value.push_back(window);
      }
    }
  }

  std::vector<Followed> followed_;
  Picoseconds began_ = 0;
};

}  // namespace kit
