#pragma once

#include "emulator/units.hpp"

namespace seawind {

inline constexpr Nanoseconds ms = 1'000'000;

}  // namespace seawind
