// The window cycles of Tahoe between losses in congestion avoidance (Altman, Bolot, Nain et al. 1997, section
// 2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// A cycle runs from one loss in congestion avoidance to the next, as the paper defines it; it may hold losses
// in slow start. A loss is where the lost packet was sent. Gives slow_starts_per_cycle, cycle_time, cwnd_max
// (at a cycle's end, when its loss is found) and timeouts_per_cycle. For senders that go back to a window of
// one after each loss: there every cut begins a slow start.
class TahoeCycles : public NoObserver {
 public:
  explicit TahoeCycles(std::size_t flows) : flows_(flows) {}

  void warm_up_ended(Picoseconds) { sums_ = {}; }

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds) {
    Flow& state = at(flow);
    state.highest = std::max(state.highest, packet);
    if (state.cwnd >= state.ssthresh) {
      state.first_in_avoidance = std::min(state.first_in_avoidance, packet);
    }
  }

  // Packets in flight when the last loss was detected are sent again anyway: their drops do not count as
  // losses.
  void packet_dropped(std::int32_t flow, std::int32_t packet) {
    Flow& state = at(flow);
    if (!state.lost && packet > state.highest_at_cut) {
      state.lost = true;
      state.lost_in_avoidance = packet >= state.first_in_avoidance;
    }
  }

  void timed_out(std::int32_t, const TimeoutState&, Picoseconds) { ++sums_.timeouts; }

  void window_moved(std::int32_t flow, const WindowView& window, Picoseconds now) {
    Flow& state = at(flow);
    if (window.cwnd < state.cwnd) {
      cut(state, now);
    }
    state.cwnd = window.cwnd;
    state.ssthresh = window.ssthresh;
  }

  void report(ProbeResults& results) const {
    const auto number = [](std::int64_t count) { return static_cast<double>(count); };
    const double cycles = number(sums_.cycles);
    results.ratio("slow_starts_per_cycle", "1", number(sums_.cuts_in_cycles), cycles);
    results.ratio("cycle_time", "s", sums_.cycle_s, cycles);
    results.ratio("cwnd_max", "packets", sums_.peaks, cycles);
    results.ratio("timeouts_per_cycle", "1", number(sums_.timeouts), cycles);
  }

 private:
  struct Flow {
    std::int32_t cwnd = 0;
    std::int32_t ssthresh = 0;
    std::int32_t highest = 0;
    std::int32_t highest_at_cut = 0;
    std::int32_t first_in_avoidance = INT32_MAX;  // packet, since the last cut
    bool lost = false;                            // likewise
    bool lost_in_avoidance = false;
    std::int32_t cuts = 0;  // since the last cycle's end
    Picoseconds cycle_began = kNever;
  };
  struct Sums {
    std::int64_t cycles = 0;
    std::int64_t cuts_in_cycles = 0;
    std::int64_t timeouts = 0;
    double cycle_s = 0;
    double peaks = 0;
  };

  void cut(Flow& state, Picoseconds now) {
    ++state.cuts;
    if (state.lost && state.lost_in_avoidance) {
      if (state.cycle_began != kNever) {
        ++sums_.cycles;
        sums_.cuts_in_cycles += state.cuts;
        sums_.cycle_s += seconds(now - state.cycle_began);
        sums_.peaks += state.cwnd;
      }
      state.cycle_began = now;
      state.cuts = 0;
    }
    state.lost = false;
    state.first_in_avoidance = INT32_MAX;
    state.highest_at_cut = state.highest;
  }

  Flow& at(std::int32_t flow) { return flows_[static_cast<std::size_t>(flow)]; }

  std::vector<Flow> flows_;
  Sums sums_;
};

}  // namespace kit
