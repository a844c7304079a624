// A local loop of sources without end by ns-2.
#pragma once

#include <cstdint>

#include "kit/main/run.hpp"
#include "kit/point/json.hpp"
#include "kit/point/point.hpp"

namespace ns2 {

// Returns the run. Throws kit::Unsupported for what the script does not have, std::runtime_error where ns-2
// fails.
kit::Json simulate(const kit::Point& point, std::uint64_t seed, const kit::Engine& engine);

}  // namespace ns2
