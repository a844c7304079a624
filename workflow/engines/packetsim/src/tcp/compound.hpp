// Compound TCP's congestion window: a loss window as Reno's and a delay window on top (Blanc, Collange and
// Avrachenkov 2008, sections 1 and 3.1).
//
// Once a round trip the backlog is estimated from the packets sent in the round trip before and the smallest
// round-trip time among their acknowledgements. Below gamma the whole window grows by alpha w^k, else the
// delay window is cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/variants/compound_parameters.hpp"
#include "tcp/recovery.hpp"
#include "tcp/window.hpp"

namespace packetsim {

// A window for sack_sender.hpp. `Windows` is the arithmetic: compound_draft.hpp or compound_linux.hpp.
template <class Windows>
class Compound : public WindowDefaults {
 public:
  static constexpr std::string_view kName = "compound";
  static constexpr bool kMayHalveRate = true;

  // Whether the point asks for this arithmetic.
  static bool is_for(const kit::Tcp& tcp) {
    return std::get<CompoundParameters>(tcp.own).linux_integers == Windows::kIntegers;
  }

  static Recovery recovery(const kit::Tcp& tcp) {
    return std::get<CompoundParameters>(tcp.own).rate_halving ? Recovery::kRateHalving : Recovery::kPause;
  }

  Compound() = default;
  explicit Compound(const CompoundParameters& parameters)
      : windows_(parameters), gamma_(parameters.gamma_packets) {}
  explicit Compound(const kit::Tcp& tcp) : Compound(std::get<CompoundParameters>(tcp.own)) {
    most_ = tcp.rwnd_packets;
  }

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    windows_.set(initial_window);
    ssthresh_ = ssthresh;
    base_ = kNever;
    restart_round_trip(1, 1);
  }

  std::int32_t window() const { return std::max(windows_.window(), 1); }
  std::int32_t ssthresh() const { return ssthresh_; }

  void on_ack(const WindowEvent& ack) {
    if (ack.round_trip > 0) {
      base_ = std::min(base_, ack.round_trip);
      shortest_ = std::min(shortest_, ack.round_trip);
    }
    const bool slow_start = window() < ssthresh_;
    slow_start ? windows_.on_slow_start_ack() : windows_.on_ack();
    if (ack.una <= round_trip_next_) {
      return;
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
    round_trips_ += known ? 1 : 0;
    restart_round_trip(round_trip_next_, ack.next);
    if (windows_.window() > most_) {
      windows_.shrink(most_);
    }
  }

  // Round trips so far of which the backlog was estimated, and the last of them.
  std::int64_t round_trips() const { return round_trips_; }
  const RoundTrip& last_round_trip() const { return last_; }
  // Cuts so far, by losses, by timeouts and at the end of a recovery.
  std::int64_t cuts() const { return cuts_; }

  void on_loss(const WindowEvent& /*state*/) {
    ++cuts_;
    windows_.on_loss();
    ssthresh_ = std::max(window(), kLeastThreshold);
  }
  void on_mark(const WindowEvent& state) { on_loss(state); }

  // Recovery has left no more than `packets` in flight. A larger window shrinks to that; slow start then
  // leads back to the threshold.
  void limit(std::int32_t packets) {
    if (packets < window()) {
      ++cuts_;
      windows_.shrink(packets);
    }
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
  double gamma_ = 0;
  std::int32_t most_ = INT32_MAX;  // the receiver's window
  std::int32_t ssthresh_ = 0;
  Picoseconds base_ = kNever;         // the smallest round trip ever
  Picoseconds shortest_ = kNever;     // the smallest of this round trip
  std::int32_t round_trip_una_ = 1;   // the round trip's packets: from here
  std::int32_t round_trip_next_ = 1;  // to before this one, whose acknowledgement ends it
  RoundTrip last_;
  std::int64_t round_trips_ = 0;
  std::int64_t cuts_ = 0;
};

}  // namespace packetsim
