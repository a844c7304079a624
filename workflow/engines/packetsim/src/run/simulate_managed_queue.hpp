// Runs a point whose bottleneck has an actively managed queue.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "run/simulate.hpp"

namespace packetsim {

// As simulate() does, for a queue that is neither drop-tail nor fair.
Measurements simulate_managed_queue(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
