#include "simulate.hpp"

#include "dumbbell.hpp"
#include "newreno.hpp"

namespace packetsim {
namespace {

constexpr std::int64_t kProgressReports = 20;

template <class Congestion>
Measurements run(const Point& point, std::uint64_t seed, const Progress& progress) {
  Dumbbell<Congestion> dumbbell(point, seed);
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
  return dumbbell.measurements();
}

}  // namespace

Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress) {
  return run<NewReno>(point, seed, progress);
}

}  // namespace packetsim
