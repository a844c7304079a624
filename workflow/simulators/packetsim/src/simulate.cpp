#include "simulate.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "dumbbell.hpp"
#include "newreno.hpp"
#include "probes/probe_set.hpp"
#include "simulate_lone_flow.hpp"
#include "tahoe.hpp"

namespace packetsim {
namespace {

constexpr std::int64_t kProgressReports = 20;

template <class Congestion, class Observer>
Measurements run(const Point& point, std::uint64_t seed, const Progress& progress, Observer observer) {
  Dumbbell<Congestion, Observer> dumbbell(point, seed, std::move(observer));
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
  Measurements measurements = dumbbell.measurements();
  if constexpr (!std::is_same_v<Observer, NoObserver>) {
    measurements.probes = dumbbell.observer().results();
  }
  return measurements;
}

template <class Congestion>
Measurements watched(const Point& point, std::uint64_t seed, const Progress& progress) {
  return point.probes.any() ? run<Congestion>(point, seed, progress, ProbeSet(point))
                            : run<Congestion>(point, seed, progress, NoObserver{});
}

}  // namespace

Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress) {
  switch (point.tcp.variant) {
    case Tcp::Variant::kNewReno:
      return watched<NewReno>(point, seed, progress);
    case Tcp::Variant::kTahoe:
      return watched<Tahoe>(point, seed, progress);
    case Tcp::Variant::kCompound:
      return simulate_lone_flow(point, seed, progress);
  }
  throw std::logic_error("a TCP variant without a congestion control");
}

}  // namespace packetsim
