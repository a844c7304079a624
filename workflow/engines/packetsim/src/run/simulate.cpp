#include "run/simulate.hpp"

#include "kit/probes/probe_set.hpp"
#include "kit/variants/compound_flow.hpp"
#include "run/simulate_dumbbell.hpp"
#include "run/simulate_fair_queue.hpp"
#include "run/simulate_groups.hpp"
#include "run/simulate_isolated_flow.hpp"

namespace packetsim {

Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress) {
  if (has_compound(point)) {
    return simulate_isolated_flow(point, seed, progress);
  }
  if (point.stop.loss_events > 0) {
    throw Unsupported(
        "stop.loss_events: stops compound only; one of connections, duration_s, transfer_packets");
  }
  if (point.groups.size() > 1) {
    return simulate_groups(point, seed, progress);
  }
  if (point.dumbbell().bottleneck.queue != Bottleneck::Queue::kDropTail) {
    return simulate_fair_queue(point, seed, progress);
  }
  return point.probes.any() ? simulate_dumbbell<DropTailQueue>(point, seed, progress, ProbeSet(point))
                            : simulate_dumbbell<DropTailQueue>(point, seed, progress, NoObserver());
}

}  // namespace packetsim
