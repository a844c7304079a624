// Runs a point.
#pragma once

#include <cstdint>
#include <functional>

#include "measurements.hpp"
#include "point.hpp"

namespace packetsim {

// Told about progress now and then: parts of the run that are done, of all.
using Progress = std::function<void(std::int64_t completed, std::int64_t asked)>;

// Simulates the point from its start with every source OFF, leaves the warm-up out of the measurements and
// stops when the connections or loss events asked for have come. The same point and seed give the same
// measurements, bit for bit.
Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress = {});

}  // namespace packetsim
