// Runs a point that stops at a loss event.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "run/simulate.hpp"

namespace packetsim {

// Simulates a flow alone; measures from the first drop of one loss event to the first drop of another, so
// that means are over whole cycles.
Measurements simulate_loss_events(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
