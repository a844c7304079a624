#include "simulate.hpp"

#include <type_traits>
#include <utility>

#include "dumbbell.hpp"
#include "newreno.hpp"
#include "probes/probe_set.hpp"
#include "simulate_lone_flow.hpp"

namespace packetsim {
namespace {

constexpr std::int64_t kProgressReports = 20;

template <class Congestion, class Observer>
Measurements run(const Point& point, std::uint64_t seed, const Progress& progress, Observer observer) {
  Dumbbell<Congestion, Observer> dumbbell(point, seed, std::move(observer));
  const std::int64_t warmup = point.warmup_connections;
  dumbbell.run_until_completed(warmup);
  dumbbell.restart_measurements();
  for (std::int64_t report = 1; report <= kProgressReports; ++report) {
    const std::int64_t completed = point.stop_connections * report / kProgressReports;
    dumbbell.run_until_completed(warmup + completed);
    if (progress) {
      progress(completed, point.stop_connections);
    }
  }
  Measurements measurements = dumbbell.measurements();
  if constexpr (!std::is_same_v<Observer, NoObserver>) {
    measurements.probes = dumbbell.observer().results();
  }
  return measurements;
}

}  // namespace

Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress) {
  if (point.bulk) {
    return simulate_lone_flow(point, seed, progress);
  }
  return point.probes.any() ? run<NewReno>(point, seed, progress, ProbeSet(point))
                            : run<NewReno>(point, seed, progress, NoObserver{});
}

}  // namespace packetsim
