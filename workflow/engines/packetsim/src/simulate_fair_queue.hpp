// Runs a point whose bottleneck has a fair queue.
#pragma once

#include <cstdint>

#include "measurements.hpp"
#include "point.hpp"
#include "simulate.hpp"

namespace packetsim {

// As simulate() does.
Measurements simulate_fair_queue(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
