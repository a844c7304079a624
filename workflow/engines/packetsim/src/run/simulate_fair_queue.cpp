#include "run/simulate_fair_queue.hpp"

#include "queues/fair_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

Measurements simulate_fair_queue(const Point& point, std::uint64_t seed, const Progress& progress) {
  return simulate_dumbbell<FairQueue>(point, seed, progress, NoObserver());
}

}  // namespace packetsim
