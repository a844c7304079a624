#include "run/simulate_groups.hpp"

#include "kit/probes/probe_set.hpp"
#include "queues/drop_tail_queue.hpp"
#include "queues/fair_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

Measurements simulate_groups(const Point& point, std::uint64_t seed, const Progress& progress) {
  const auto run = [&]<class Queue, class Observer>(std::type_identity<Queue>, const Observer& observer) {
    Dumbbell<Variants::Any, Observer, Queue, ManyGroups> dumbbell(point, seed, observer);
    return run_and_measure(dumbbell, point, progress);
  };
  const auto observed = [&]<class Queue>(std::type_identity<Queue> queue) {
    return point.probes.any() ? run(queue, ProbeSet(point)) : run(queue, NoObserver());
  };
  return point.dumbbell().bottleneck.queue == Bottleneck::Queue::kDropTail
             ? observed(std::type_identity<DropTailQueue>())
             : observed(std::type_identity<FairQueue>());
}

}  // namespace packetsim
