// Compound TCP's congestion window: a loss window as Reno's and a delay window on top (Blanc, Collange and
// Avrachenkov 2008, sections 1 and 3.1).
//
// Once a round trip the backlog is estimated from the packets sent in the round trip before and the smallest
// round-trip time among their acknowledgements. Below gamma the whole window grows by alpha w^k, else the
// delay window is cut.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/variants/compound_parameters.hpp"
#include "tcp/window_event.hpp"

namespace packetsim {

// A window for sack_sender.hpp. `Windows` is the arithmetic: compound_draft.hpp or compound_linux.hpp.
template <class Windows>
class Compound {
 public:
  explicit Compound(const CompoundParameters& parameters)
      : windows_(parameters), gamma_(parameters.gamma_packets) {}

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    windows_.set(initial_window);
    ssthresh_ = ssthresh;
    restart_round_trip(1, 1);
  }

  std::int32_t window() const { return std::max(windows_.window(), 1); }

  // Returns whether the acknowledgement ends a round trip, which last_round_trip() then describes.
  bool on_ack(const WindowEvent& ack) {
    if (ack.round_trip > 0) {
      base_ = std::min(base_, ack.round_trip);
      shortest_ = std::min(shortest_, ack.round_trip);
    }
    const bool slow_start = window() < ssthresh_;
    slow_start ? windows_.on_slow_start_ack() : windows_.on_ack();
    if (ack.una <= round_trip_next_) {
      return false;
    }
    const std::int32_t sent = round_trip_next_ - round_trip_una_;
    const bool known = shortest_ != kNever && !slow_start;
    last_ = {.window = window()};
    if (known) {
      last_.backlog = windows_.backlog(sent, base_, shortest_);
      last_.cut = last_.backlog >= gamma_;
      last_.cut ? windows_.cut(last_.backlog) : windows_.grow(sent, last_.backlog);
    }
    last_.delay_window = windows_.delay_window();
    restart_round_trip(round_trip_next_, ack.next);
    return known;
  }

  const RoundTrip& last_round_trip() const { return last_; }

  void on_loss(const WindowEvent& /*state*/) {
    windows_.on_loss();
    ssthresh_ = std::max(window(), kLeastThreshold);
  }

  // Recovery has left no more than `packets` in flight. Returns whether the window, if larger, shrank to
  // that; slow start then leads back to the threshold.
  bool limit(std::int32_t packets) {
    if (packets >= window()) {
      return false;
    }
    windows_.shrink(packets);
    return true;
  }

  // Recovery is over; what it measured is stale.
  void on_recovered(std::int32_t una, std::int32_t next) { restart_round_trip(una, next); }

  void on_timeout(const WindowEvent& state) {
    on_loss(state);
    windows_.set(1);
    restart_round_trip(state.una, state.next);
  }

 private:
  static constexpr std::int32_t kLeastThreshold = 2;

  void restart_round_trip(std::int32_t una, std::int32_t next) {
    round_trip_una_ = una;
    round_trip_next_ = next;
    shortest_ = kNever;
  }

  Windows windows_;
  double gamma_;
  std::int32_t ssthresh_ = 0;
  Picoseconds base_ = kNever;         // the smallest round trip ever
  Picoseconds shortest_ = kNever;     // the smallest of this round trip
  std::int32_t round_trip_una_ = 1;   // the round trip's packets: from here
  std::int32_t round_trip_next_ = 1;  // to before this one, whose acknowledgement ends it
  RoundTrip last_;
};

}  // namespace packetsim
