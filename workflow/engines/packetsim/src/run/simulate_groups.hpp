// Simulates a point with any variants in any groups behind any queue.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

Measurements simulate_groups(const Point& point, std::uint64_t seed, const Progress& progress);

}  // namespace packetsim
