// The stop rule of a flow alone behind a drop-tail bottleneck, from the first drop of one loss event to the
// first drop of another, and what is measured of the cycles between them (Blanc, Collange and Avrachenkov
// 2008, section 2).
#pragma once

#include <cstdint>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Told of drops by the network, and by its sender of a window that has round trips (see RoundTrip); of
// another window only the drops are reported.
class LossEvents : public NoObserver {
 public:
  // Throws Unsupported where the flow is not alone, or its window can never fill the buffer.
  explicit LossEvents(const Point& point);

  // The slow start threshold with which a run begins: at a random point of a cycle, so that replications show
  // what depends on the beginning.
  std::int32_t first_threshold(std::uint64_t seed) const;

  // So far, those of the warm-up included.
  std::int64_t events() const { return cycles_.events(); }

  // A packet is dropped that was sent with this window. Returns whether it begins an event. A full buffer
  // fixes the round trip.
  bool dropped(std::int32_t window, Picoseconds now) {
    return cycles_.dropped(now, buffer_packets_ * service_time_ + propagation_, window);
  }

  void window_started(std::int32_t /*flow*/, const WindowView& window, Picoseconds /*now*/) {
    window_ = window.cwnd;
  }

  // Sees what an event has done to a window that counts its round trips and cuts.
  template <class Window>
  void follow(const Window& window, Picoseconds now) {
    followed_ = true;
    if (window.round_trips() != round_trips_) {
      round_trips_ = window.round_trips();
      round_trip_ended(window.last_round_trip(), window.window(), now);
    }
    if (window.cuts() != cuts_) {
      cuts_ = window.cuts();
      window_cut(window_, window.window(), now);
    }
    window_ = window.window();
  }

  void warm_up_ended(Picoseconds now) {
    restarted_ = now;
    cycles_.restart();
    trace_.clear();
  }
  void measured_until(Picoseconds now) { measured_ = now - restarted_; }

  // A round trip outside recovery is over.
  void round_trip_ended(const RoundTrip& round_trip, std::int32_t window, Picoseconds now) {
    followed_ = true;
    cycles_.round_trip_ended(round_trip);
    trace_window(window, now);
  }
  void window_cut(std::int32_t before, std::int32_t after, Picoseconds now) {
    trace_window(before, now);
    cycles_.window_cut(after);
    trace_window(after, now);
  }

  struct TracePoint {
    Picoseconds time;  // since the warm-up
    std::int32_t window;
  };

  // The window at the end of every round trip, and before and after every cut.
  const std::vector<TracePoint>& trace() const { return trace_; }
  const std::vector<CompoundCycle>& cycles() const { return cycles_.cycles(); }

  // The largest number of packets in flight without a queue.
  std::int32_t path_packets() const { return static_cast<std::int32_t>(propagation_ / service_time_) + 1; }

  ProbeResults results() const;

 private:
  void trace_window(std::int32_t window, Picoseconds now) { trace_.push_back({now - restarted_, window}); }

  Picoseconds propagation_;
  Picoseconds service_time_;  // of a packet at the bottleneck
  std::int32_t buffer_packets_;
  bool traced_;
  bool followed_ = false;  // round trips and cuts are told
  Picoseconds restarted_ = 0;
  Picoseconds measured_ = 0;
  std::int32_t window_ = 0;       // when last seen
  std::int64_t round_trips_ = 0;  // then
  std::int64_t cuts_ = 0;         // then
  CompoundCycles cycles_;
  std::vector<TracePoint> trace_;
};

}  // namespace kit
