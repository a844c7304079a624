#include "run/simulate_fair_queue.hpp"

#include "kit/probes/probe_set.hpp"
#include "queues/fair_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

// Without probes too: another instance for each TCP variant would save little and take long to compile.
Measurements simulate_fair_queue(const Point& point, std::uint64_t seed, const Progress& progress) {
  return simulate_dumbbell<FairQueue>(point, seed, progress, ProbeSet(point));
}

}  // namespace packetsim
