// Simulates a point of kind local-loop.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "kit/local_loop/exact_run.hpp"
#include "kit/main/progress.hpp"

namespace packetsim {

// Simulates the warm-up, and from there on measures until all users together have sent as many packets as
// the point says. The same point and seed give the same measurements, bit for bit. Throws
// std::invalid_argument for a load that leaves nothing of its router, Unsupported where the clock ends.
LoopMeasurements simulate_local_loop(const LocalLoopPoint& point, std::uint64_t seed,
                                     const Progress& progress = {});

}  // namespace packetsim
