// Runs a dumbbell as its point says.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "network/dumbbell.hpp"
#include "run/loops.hpp"

namespace packetsim {

template <class Dumbbell>
Measurements run_and_measure(Dumbbell& dumbbell, const Point& point, const Progress& progress) {
  // Packets are counted from the warm-up's end, all else from the beginning.
  const Stop& stop = point.stop;
  const auto measure = [&](std::int64_t warmup, std::int64_t length, auto run_until) {
    run_until(warmup);
    dumbbell.restart_measurements();
    const std::int64_t before = stop.packets > 0 ? 0 : warmup;
    run_in_parts(length, progress, [&](std::int64_t end) { run_until(before + end); });
  };
  if (stop.packets > 0) {
    measure(stop.warmup_packets, stop.packets, [&](std::int64_t sent) { dumbbell.run_until_sent(sent); });
  } else if (stop.duration_s > 0) {
    measure(picoseconds(stop.warmup_s), picoseconds(stop.duration_s),
            [&](Picoseconds end) { dumbbell.run_until(end); });
  } else {
    measure(stop.warmup_connections, stop.connections,
            [&](std::int64_t completed) { dumbbell.run_until_completed(completed); });
  }
  Measurements measurements = dumbbell.measurements();
  if constexpr (requires { dumbbell.observer().results(); }) {
    measurements.probes = dumbbell.observer().results();
  }
  return measurements;
}

template <class Variant, class Queue, class Observer>
Measurements simulate_alike(const Point& point, std::uint64_t seed, const Progress& progress) {
  if constexpr (std::is_same_v<Observer, ProbeSet>) {
    Dumbbell<Variant, Observer, Queue> dumbbell(point, seed, ProbeSet(point));
    return run_and_measure(dumbbell, point, progress);
  } else {
    Dumbbell<Variant, Observer, Queue> dumbbell(point, seed);
    return run_and_measure(dumbbell, point, progress);
  }
}

}  // namespace packetsim
