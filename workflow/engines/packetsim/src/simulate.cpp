#include "simulate.hpp"

#include "probes/probe_set.hpp"
#include "simulate_dumbbell.hpp"
#include "simulate_fair_queue.hpp"
#include "simulate_lone_flow.hpp"

namespace packetsim {

Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress) {
  if (point.tcp.variant == Tcp::Variant::kCompound) {
    return simulate_lone_flow(point, seed, progress);
  }
  if (point.bottleneck.queue != Bottleneck::Queue::kDropTail) {
    return simulate_fair_queue(point, seed, progress);
  }
  return point.probes.any() ? simulate_dumbbell<DropTailQueue>(point, seed, progress, ProbeSet(point))
                            : simulate_dumbbell<DropTailQueue>(point, seed, progress, NoObserver());
}

}  // namespace packetsim
