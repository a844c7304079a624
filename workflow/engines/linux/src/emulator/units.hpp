#pragma once

#include <cstdint>

namespace seawind {

// A point in time or a span of it, on whatever clock the caller keeps: the kernel's in a run, a counter in a
// test.
using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds nanoseconds_per_second = 1'000'000'000;

}  // namespace seawind
