// Loss cycles of an isolated Compound TCP flow: drops, window reductions, phases and oscillations from one
// loss event to the next (Blanc, Collange and Avrachenkov 2008, sections 2 to 4).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// A sender's estimates and its decision at the end of a round trip.
struct RoundTrip {
  std::int32_t window = 0;        // packets, before the update
  std::int32_t delay_window = 0;  // packets, after the update
  double backlog = 0;             // packets, estimated
  bool cut = false;
};

// A repetition of phase 3's pattern: growths, then cuts.
struct Oscillation {
  std::int32_t growths = 0;
  std::int32_t cuts = 0;
  std::int32_t highest = 0;  // window, packets
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
};

// From one loss event to the next.
struct CompoundCycle {
  std::int32_t window_at_loss = 0;
  std::int32_t window_after_loss = 0;
  std::int32_t drops = 0;     // in the event that begins the cycle
  std::int32_t halvings = 0;  // of the window, for these drops
  bool emptied = false;       // the buffer, in some round trip
  bool had_delay_window = false;
  std::int32_t round_trips = 0;
  std::int32_t round_trips_since_cut = 0;  // the first cut of the delay window, with which phase 3 begins
  std::vector<Oscillation> oscillations = {};

  // The case by the phases that took place (sections 4.1 to 4.6). A few oscillations before the loss do not
  // yet make a phase 3 (section 5.1): it must have begun before half of the cycle. `path_packets`: what the
  // path holds without the buffer.
  std::int32_t compound_case(std::int32_t path_packets) const {
    if (!had_delay_window) {
      return 6;
    }
    if (2 * round_trips_since_cut > round_trips) {
      return emptied ? 4 : 5;
    }
    return window_at_loss <= path_packets ? 1 : emptied ? 2 : 3;
  }
};

// A loss event is a drop with all that follow it within two round trips: the paper's "same round trip time or
// two consecutive ones".
class CompoundCycles {
 public:
  std::int64_t events() const { return events_; }

  // The cycles that are over, but for those before the last restart.
  const std::vector<CompoundCycle>& cycles() const { return cycles_; }

  // A packet is dropped where a round trip takes `round_trip`. Returns whether it begins an event.
  bool dropped(Picoseconds now, Picoseconds round_trip, std::int32_t window) {
    const bool begins = events_ == 0 || now > last_drop_ + kRoundTripsTogether * round_trip;
    last_drop_ = now;
    if (begins) {
      if (events_ > 0) {
        cycles_.push_back(std::move(cycle_));
      }
      ++events_;
      cycle_ = {.window_at_loss = window};
    }
    ++cycle_.drops;
    return begins;
  }

  void window_cut(std::int32_t window) {
    ++cycle_.halvings;
    cycle_.window_after_loss = window;
    oscillation_ = {};
    after_halving_ = true;
  }

  // The end of a round trip outside recovery.
  void round_trip_ended(const RoundTrip& round_trip) {
    if (after_halving_) {
      // Between drop and halving the sender does not know yet; the cycle's phases begin here.
      after_halving_ = false;
      cycle_.emptied = cycle_.had_delay_window = false;
      cycle_.round_trips = cycle_.round_trips_since_cut = 0;
      cycle_.oscillations.clear();
    }
    cycle_.emptied |= round_trip.backlog <= 0;
    cycle_.had_delay_window |= round_trip.delay_window > 0;
    ++cycle_.round_trips;
    follow_oscillation(round_trip);
  }

  void restart() { cycles_.clear(); }

 private:
  static constexpr std::int64_t kRoundTripsTogether = 2;

  // The growths before the first cut belong to phase 2. Once the delay window is used up, phase 3 is over.
  void follow_oscillation(const RoundTrip& round_trip) {
    if (!round_trip.cut && oscillation_.cuts > 0) {
      if (oscillation_.growths > 0 && round_trip.delay_window > 0) {
        cycle_.oscillations.push_back(oscillation_);
      }
      oscillation_ = {};
    }
    if (round_trip.cut || cycle_.round_trips_since_cut > 0) {
      ++cycle_.round_trips_since_cut;
      ++(round_trip.cut ? oscillation_.cuts : oscillation_.growths);
      oscillation_.highest = std::max(oscillation_.highest, round_trip.window);
      oscillation_.lowest = std::min(oscillation_.lowest, round_trip.window);
    }
  }

  std::int64_t events_ = 0;
  Picoseconds last_drop_ = 0;
  CompoundCycle cycle_;
  std::vector<CompoundCycle> cycles_;
  Oscillation oscillation_;
  bool after_halving_ = false;
};

// Reports the per-cycle metrics of a single bulk flow: loss interval, window at loss, drops per loss event
// and, of a window whose cuts and round trips were followed, case and type of oscillation. Means are over the
// cycles, which took `duration_s` together; of the most frequent oscillation type, the medians of its highest
// and lowest windows. Quantities without an observation are omitted. `path_packets`: see CompoundCycle.
void report_cycles(const std::vector<CompoundCycle>& cycles, double duration_s, std::int32_t path_packets,
                   bool followed, ProbeResults& results);

}  // namespace kit
