// Times that tests are written in.
#pragma once

#include "kit.hpp"

namespace packetsim {

inline constexpr Picoseconds kMillisecond = 1'000'000'000;
inline constexpr Picoseconds kSecond = 1000 * kMillisecond;

}  // namespace packetsim
