#pragma once

#include <cmath>
#include <cstdint>

namespace linux_engine {

// A point in time or a span of it, on whatever clock the caller keeps: the kernel's in a run, a counter in a
// test.
using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;

inline Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

}  // namespace linux_engine
