// The settings of a point of kind local-loop.
#pragma once

#include "kit/local_loop/settings.hpp"
#include "kit/point/point.hpp"

namespace kit::local_loop {

// All but the TCP, of which only the largest window is there. Throws Unsupported for what local loops do not
// have.
Settings network_of(const Point& point);

// With the TCP, which must be one of the two that the paper's readings describe.
Settings settings_of(const Point& point);

// Returns the settings if they can be simulated user by user. Throws Unsupported.
Settings checked(const Settings& settings);

}  // namespace kit::local_loop
