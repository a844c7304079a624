// Simulates a point on the dumbbell, with any TCP variant of variants.hpp.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/variants.hpp"

namespace packetsim {

template <class Dumbbell>
Measurements run_and_measure(Dumbbell& dumbbell, const Point& point, const Progress& progress) {
  const bool timed = point.stop.duration_s > 0;
  const std::int64_t warmup = timed ? picoseconds(point.stop.warmup_s) : point.stop.warmup_connections;
  const std::int64_t length = timed ? picoseconds(point.stop.duration_s) : point.stop.connections;
  const auto run_until = [&](std::int64_t mark) {
    timed ? dumbbell.run_until(mark) : dumbbell.run_until_completed(mark);
  };
  run_until(warmup);
  dumbbell.restart_measurements();
  run_in_parts(length, progress, [&](std::int64_t end) { run_until(warmup + end); });
  Measurements measurements = dumbbell.measurements();
  if constexpr (requires { dumbbell.observer().results(); }) {
    measurements.probes = dumbbell.observer().results();
  }
  return measurements;
}

// `Queue` is the bottleneck's (see dumbbell.hpp). Each variant's dumbbell is compiled anew wherever this is
// used.
template <class Queue, class Observer>
Measurements simulate_dumbbell(const Point& point, std::uint64_t seed, const Progress& progress,
                               const Observer& observer) {
  return Variants::visit(point.groups.front().tcp, [&]<class Congestion>(std::type_identity<Congestion>) {
    Dumbbell<Congestion, Observer, Queue> dumbbell(point, seed, observer);
    return run_and_measure(dumbbell, point, progress);
  });
}

}  // namespace packetsim
