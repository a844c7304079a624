// Simulates a point.
#pragma once

#include <cstdint>

#include "kit.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/main/run.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

inline constexpr Engine kEngine = {.name = "packetsim", .version = PACKETSIM_VERSION};

// Simulates the point from its start with every source OFF, leaves the warm-up out of the measurements and
// stops when the connections or loss events asked for have come. The same point and seed give the same
// measurements, bit for bit.
Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress = {});

}  // namespace packetsim
