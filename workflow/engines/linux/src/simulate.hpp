#pragma once

#include <cstdint>
#include <filesystem>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"

namespace linux_engine {

// Inside of a guest: builds the network and runs a point on it. The probe filter-log also leaves its packets
// in the file `capture`. Throws std::runtime_error.
kit::Measurements simulate(const kit::Point& point, std::uint64_t seed, const std::filesystem::path& capture);

// Throws kit::Unsupported if the guest cannot run the point.
void check(const kit::Point& point);

}  // namespace linux_engine
