#pragma once

#include <cstdint>

namespace linux_engine {

// A point in time or a span of it, on whatever clock the caller keeps: the kernel's in a run, a counter in a
// test.
using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;

}  // namespace linux_engine
