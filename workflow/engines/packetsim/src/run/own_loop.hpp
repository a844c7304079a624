// Simulates sources that are all alike, with an event loop compiled for their variant. Which have one:
// simulate.cpp; each variant's are instantiated in own_loops/, so that an edit of a variant compiles its own
// loops and those of any sender.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/probe_set.hpp"
#include "queues/drop_tail_queue.hpp"

namespace packetsim {

// `Observer` is made of the point if it is a ProbeSet.
template <class Variant, class Queue = DropTailQueue, class Observer = NoObserver>
Measurements simulate_alike(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
