// Senders' repairs and slow start thresholds against time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives of each group's first source the traces "sent_again", the number of each packet that is sent again,
// "timeout", the first packet without an acknowledgement at each, and "ssthresh" whenever it changes.
class RecoveryTrace : public NoObserver {
 public:
  explicit RecoveryTrace(const std::vector<SourceGroup>& groups) {
    for (std::int32_t first = 0; const SourceGroup& group : groups) {
      const std::string of = groups.size() > 1 ? "[" + group.name + "]" : "";
      followed_.push_back({.flow = first,
                           .again = {"sent_again" + of, "packet", {}, {}},
                           .timeout = {"timeout" + of, "packet", {}, {}},
                           .ssthresh = {"ssthresh" + of, "packets", {}, {}}});
      first += group.count;
    }
  }

  void warm_up_ended(Picoseconds now) {
    began_ = now;
    for (Followed& source : followed_) {
      for (Trace* trace : {&source.again, &source.timeout, &source.ssthresh}) {
        trace->time_s.clear();
        trace->value.clear();
      }
    }
  }
  void transfer_started(std::int32_t flow, std::int32_t) {
    with(flow, [](Followed& source) { source.highest = 0; });
  }
  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    with(flow, [&](Followed& source) {
      if (packet <= source.highest) {
        add(source.again, packet, now);
      }
      source.highest = std::max(source.highest, packet);
    });
  }
  void timed_out(std::int32_t flow, const TimeoutState& state, Picoseconds now) {
    with(flow, [&](Followed& source) { add(source.timeout, state.packet, now); });
  }
  void window_moved(std::int32_t flow, const WindowView& window, Picoseconds now) {
    with(flow, [&](Followed& source) {
      if (source.ssthresh.value.empty() || source.ssthresh.value.back() != window.ssthresh) {
        add(source.ssthresh, window.ssthresh, now);
      }
    });
  }

  void report(ProbeResults& results) const {
    for (const Followed& source : followed_) {
      results.traces.insert(results.traces.end(), {source.again, source.timeout, source.ssthresh});
    }
  }

 private:
  struct Followed {
    std::int32_t flow;
    Trace again, timeout, ssthresh;
    std::int32_t highest = 0;
  };

  template <class Change>
  void with(std::int32_t flow, Change change) {
    for (Followed& source : followed_) {
      if (source.flow == flow) {
        change(source);
      }
    }
  }

  void add(Trace& trace, std::int32_t value, Picoseconds now) const {
    trace.time_s.push_back(seconds(now - began_));
    trace.value.push_back(value);
  }

  std::vector<Followed> followed_;
  Picoseconds began_ = 0;
};

}  // namespace kit
