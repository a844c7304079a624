#include "run/simulate_groups.hpp"

#include "kit/probes/probe_set.hpp"
#include "queues/drop_tail_queue.hpp"
#include "queues/fair_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

Measurements simulate_groups(const Point& point, std::uint64_t seed, const Progress& progress) {
  const auto run = [&]<class Queue>(std::type_identity<Queue>) {
    Dumbbell<Variants::Any, ProbeSet, Queue, ManyGroups> dumbbell(point, seed, ProbeSet(point));
    return run_and_measure(dumbbell, point, progress);
  };
  return point.bottleneck.queue == Bottleneck::Queue::kDropTail ? run(std::type_identity<DropTailQueue>())
                                                                : run(std::type_identity<FairQueue>());
}

}  // namespace packetsim
