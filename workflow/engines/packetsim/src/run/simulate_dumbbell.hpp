// Runs a point on the dumbbell, whatever its TCP variant.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/newreno.hpp"
#include "tcp/reno.hpp"
#include "tcp/tahoe.hpp"

namespace packetsim {

template <class Dumbbell>
Measurements run_and_measure(Dumbbell& dumbbell, const Point& point, const Progress& progress) {
  constexpr std::int64_t kProgressReports = 20;
  const bool timed = point.stop_s > 0;
  const std::int64_t warmup = timed ? picoseconds(point.warmup_s) : point.warmup_connections;
  const std::int64_t length = timed ? picoseconds(point.stop_s) : point.stop_connections;
  const auto run_until = [&](std::int64_t mark) {
    timed ? dumbbell.run_until(mark) : dumbbell.run_until_completed(mark);
  };
  run_until(warmup);
  dumbbell.restart_measurements();
  for (std::int64_t report = 1; report <= kProgressReports; ++report) {
    run_until(warmup + (report < kProgressReports ? length / kProgressReports * report : length));
    if (progress) {
      progress(report, kProgressReports);
    }
  }
  return dumbbell.measurements();
}

// `Queue` is the bottleneck's (see dumbbell.hpp). Each variant's dumbbell is compiled anew wherever this is
// used.
template <class Queue, class Observer>
Measurements simulate_dumbbell(const Point& point, std::uint64_t seed, const Progress& progress,
                               const Observer& observer) {
  const auto run = [&]<class Congestion>(std::type_identity<Congestion>) {
    Dumbbell<Congestion, Observer, Queue> dumbbell(point, seed, observer);
    Measurements measurements = run_and_measure(dumbbell, point, progress);
    if constexpr (!std::is_same_v<Observer, NoObserver>) {
      measurements.probes = dumbbell.observer().results();
    }
    return measurements;
  };
  switch (point.tcp.variant) {
    case Tcp::Variant::kNewReno:
      return run(std::type_identity<NewReno>());
    case Tcp::Variant::kTahoe:
      return run(std::type_identity<Tahoe>());
    case Tcp::Variant::kReno:
      return run(std::type_identity<Reno>());
    case Tcp::Variant::kCompound:
      break;  // see lone_flow.hpp
  }
  throw std::logic_error("a TCP variant without a congestion control");
}

}  // namespace packetsim
