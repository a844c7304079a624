#pragma once

#include <ctime>

#include "emulator/units.hpp"

namespace seawind {

inline Nanoseconds read_clock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * nanoseconds_per_second + time.tv_nsec;
}

inline Nanoseconds monotonic_now() { return read_clock(CLOCK_MONOTONIC); }

inline timespec to_timespec(Nanoseconds time) {
  return {.tv_sec = time / nanoseconds_per_second, .tv_nsec = time % nanoseconds_per_second};
}

}  // namespace seawind
