#include "run/simulate_fair_queue.hpp"

#include "kit/probes/probe_set.hpp"
#include "queues/fair_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

Measurements simulate_fair_queue(const Point& point, std::uint64_t seed, const Progress& progress) {
  return point.probes.any() ? simulate_dumbbell<FairQueue>(point, seed, progress, ProbeSet(point))
                            : simulate_dumbbell<FairQueue>(point, seed, progress, NoObserver());
}

}  // namespace packetsim
