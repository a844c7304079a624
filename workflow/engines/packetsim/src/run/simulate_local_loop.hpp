// Runs a point of kind local-loop.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "run/simulate.hpp"

namespace packetsim {

// As simulate() does. Throws std::invalid_argument for a load that leaves nothing of its router.
Measurements simulate_local_loop(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
