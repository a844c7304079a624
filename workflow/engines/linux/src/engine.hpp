#pragma once

#include "kit/main/engine_main.hpp"

namespace seawind {

// The engine of the pipeline: a point's transfer by the Linux kernel's TCP, in virtual time. It needs the
// User-Mode Linux of uml/build.sh, where the variable TCP_ATLAS_UML says or else at build/uml/linux.
extern const kit::Engine engine;

// Throws kit::Unsupported, and Failure.
kit::Measurements simulate(const kit::Point& point, std::uint64_t seed, const kit::Progress& progress);

}  // namespace seawind
