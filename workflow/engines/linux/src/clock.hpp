#pragma once

#include <ctime>

#include "units.hpp"

namespace linux_engine {

inline Nanoseconds read_clock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

inline Nanoseconds monotonic_now() { return read_clock(CLOCK_MONOTONIC); }

inline timespec to_timespec(Nanoseconds time) {
  return {.tv_sec = time / kNanosecondsPerSecond, .tv_nsec = time % kNanosecondsPerSecond};
}

}  // namespace linux_engine
