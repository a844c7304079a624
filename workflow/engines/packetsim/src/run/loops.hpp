// The event loops that simulate() chooses from; each does as simulate() does.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/probes/probe_set.hpp"
#include "queues/drop_tail_queue.hpp"
#include "run/simulate.hpp"

namespace packetsim {

// Sources that are all alike, with a loop compiled for their variant. Each variant's are instantiated in
// own_loops/, so that an edit of a variant compiles its own loops and those of any sender.
template <class Variant, class Queue = DropTailQueue, class Observer = NoObserver>
Measurements simulate_alike(const Point& point, std::uint64_t seed, const Progress& progress);

// Any variants in any groups behind any queue.
Measurements simulate_groups(const Point& point, std::uint64_t seed, const Progress& progress);

// A point of kind local-loop. Throws std::invalid_argument for a load that leaves nothing of its router.
Measurements simulate_local_loop(const Point& point, std::uint64_t seed, const Progress& progress);

// A flow alone; measures from the first drop of one loss event to the first drop of another, so that means
// are over whole cycles.
Measurements simulate_loss_events(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
