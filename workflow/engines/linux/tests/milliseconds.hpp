#pragma once

#include "units.hpp"

namespace linux_engine {

inline constexpr Nanoseconds ms = 1'000'000;

}  // namespace linux_engine
