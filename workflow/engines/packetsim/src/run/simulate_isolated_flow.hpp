// Runs a point with one bulk transfer.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "run/simulate.hpp"

namespace packetsim {

// Simulates from the start to a loss event; measures from the first drop of one to the first drop of another,
// so that means are over whole cycles. Progress is told in loss events.
Measurements simulate_isolated_flow(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
