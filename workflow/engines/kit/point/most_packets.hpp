// How many packets one connection carries.
#pragma once

#include <cstdint>

#include "kit/point/point.hpp"

namespace kit {

// Packets are numbered in 31 bits; this leaves room for a window beyond. A bulk transfer has as many.
inline constexpr std::int64_t kMostPackets = 2'000'000'000;

// To be called where a connection has carried them all and the run goes on: a new one would begin in slow
// start.
[[noreturn]] inline void numbers_ended() {
  throw Unsupported(
      "stop: comes after 2e9 packets of one connection, where their numbers end; must be sooner");
}

}  // namespace kit
