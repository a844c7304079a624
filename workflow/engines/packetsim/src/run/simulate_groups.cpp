#include <type_traits>

#include "kit/probes/probe_set.hpp"
#include "queues/drop_tail_queue.hpp"
#include "queues/make_queue.hpp"
#include "queues/varying_drop_tail_queue.hpp"
#include "run/loops.hpp"
#include "run/simulate_dumbbell.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

// A queue costs one dumbbell to compile, not one for each variant.
template <class Queue>
Measurements run_behind(const Point& point, std::uint64_t seed, const Progress& progress) {
  const auto observed = [&](const auto& observer) {
    using Observer = std::remove_cvref_t<decltype(observer)>;
    Dumbbell<Variants::AnySender, Observer, Queue, ManyGroups> dumbbell(point, seed, observer);
    return run_and_measure(dumbbell, point, progress);
  };
  return point.probes.any() ? observed(ProbeSet(point)) : observed(NoObserver());
}

}  // namespace

Measurements simulate_groups(const Point& point, std::uint64_t seed, const Progress& progress) {
  switch (point.dumbbell().bottleneck.queue) {
    case kit::Queue::kDropTail:
      return point.dumbbell().bottleneck.varies() || point.has_sizes()
                 ? run_behind<VaryingDropTailQueue>(point, seed, progress)
                 : run_behind<DropTailQueue>(point, seed, progress);
    case kit::Queue::kFairIndividual:
    case kit::Queue::kFairShared:
      return run_behind<FairQueue>(point, seed, progress);
    case kit::Queue::kCodel:
      return run_behind<CodelQueue>(point, seed, progress);
    case kit::Queue::kFqCodel:
      return run_behind<FqCodelQueue>(point, seed, progress);
    case kit::Queue::kPie:
      return run_behind<PieQueue>(point, seed, progress);
    case kit::Queue::kRed:
      return run_behind<RedQueue>(point, seed, progress);
    case kit::Queue::kStep:
      return run_behind<StepQueue>(point, seed, progress);
    case kit::Queue::kCake:
    case kit::Queue::kFq:
      break;
  }
  throw Unsupported("links.bottleneck.queue: must be neither cake nor fq, which are a kernel's");
}

}  // namespace packetsim
