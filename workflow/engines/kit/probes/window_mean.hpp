// The time average of the congestion window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives cwnd_mean of all sources and, of several groups, of each: over the time that connections are ON,
// without what duplicate acknowledgements add to a window in a recovery.
class WindowMean : public NoObserver {
 public:
  explicit WindowMean(const std::vector<SourceGroup>& groups) {
    for (const SourceGroup& group : groups) {
      names_.push_back(group.name);
      sources_.resize(sources_.size() + static_cast<std::size_t>(group.count), {.group = names_.size() - 1});
    }
    sums_.resize(names_.size());
  }

  void warm_up_ended(Picoseconds now) {
    measured_until(now);
    sums_.assign(sums_.size(), {});
  }
  void measured_until(Picoseconds now) {
    for (Source& source : sources_) {
      become(source, source.window, now);
    }
  }

  void window_started(std::int32_t flow, const WindowView& window, Picoseconds now) {
    become(of(flow), window.deflated, now);
  }
  void window_moved(std::int32_t flow, const WindowView& window, Picoseconds now) {
    if (Source& source = of(flow); source.window > 0 && source.window != window.deflated) {
      become(source, window.deflated, now);
    }
  }
  void transfer_completed(std::int32_t flow, bool, Picoseconds, Picoseconds now) { become(of(flow), 0, now); }

  void report(ProbeResults& results) const {
    Sums all;
    for (const Sums& group : sums_) {
      all.window_time += group.window_time;
      all.time += group.time;
    }
    add(results, "cwnd_mean", all);
    for (std::size_t group = 0; names_.size() > 1 && group < names_.size(); ++group) {
      add(results, "cwnd_mean[" + names_[group] + "]", sums_[group]);
    }
  }

 private:
  struct Source {
    std::size_t group;
    std::int32_t window = 0;  // 0 between transfers
    Picoseconds since = 0;
  };
  struct Sums {
    PicosecondSum window_time = 0;  // packets times picoseconds
    PicosecondSum time = 0;
  };

  Source& of(std::int32_t flow) { return sources_[static_cast<std::size_t>(flow)]; }

  void become(Source& source, std::int32_t window, Picoseconds now) {
    if (source.window > 0) {
      Sums& sums = sums_[source.group];
      sums.window_time += static_cast<PicosecondSum>(source.window) * (now - source.since);
      sums.time += now - source.since;
    }
    source.window = window;
    source.since = now;
  }

  static void add(ProbeResults& results, const std::string& name, const Sums& sums) {
    results.ratio(name, "packets", seconds(sums.window_time), seconds(sums.time));
  }

  std::vector<std::string> names_;  // of the groups
  std::vector<Source> sources_;
  std::vector<Sums> sums_;  // of each group
};

}  // namespace kit
