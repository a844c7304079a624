// Runs a point whose bottleneck has a fair queue, fast: one group, no probes.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "run/simulate.hpp"

namespace packetsim {

// As simulate() does.
Measurements simulate_fair_queue(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
