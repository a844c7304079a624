// Simulates a point with several groups of sources.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

Measurements simulate_groups(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
