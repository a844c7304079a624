#pragma once

#include <cmath>
#include <cstdint>
#include <ctime>

namespace linux_engine {

// A point in time or a span of it, on whatever clock the caller keeps: the kernel's in a run, a counter in a
// test.
using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;

inline Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

// The kernel's time: virtual in a guest.
inline Nanoseconds monotonic_now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

}  // namespace linux_engine
