// The settings of a point of kind local-loop.
#pragma once

#include "kit/local_loop/settings.hpp"
#include "kit/point/point.hpp"

namespace kit::local_loop {

// Throws Unsupported for what local loops do not have.
Settings settings_of(const Point& point);

}  // namespace kit::local_loop
