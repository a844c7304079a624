// Time in integer picoseconds, and the conversions from the SI numbers of a point.
#pragma once

#include <cmath>
#include <cstdint>

namespace kit {

// 2^63 ps are 106 days of simulated time; one bit at 1 Tbit/s is one picosecond.
using Picoseconds = std::int64_t;

// A sum over connections that run side by side may be longer than any clock.
__extension__ using PicosecondSum = __int128;

inline constexpr Picoseconds kNever = INT64_MAX;
inline constexpr double kPicosecondsPerSecond = 1e12;

// std::llround of a number that is not negative, without a call.
inline std::int64_t rounded(double number) {
  const auto whole = static_cast<std::int64_t>(number);
  return whole + (number - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

inline Picoseconds picoseconds(double seconds) { return rounded(seconds * kPicosecondsPerSecond); }

inline double seconds(Picoseconds time) { return static_cast<double>(time) / kPicosecondsPerSecond; }
inline double seconds(PicosecondSum time) { return static_cast<double>(time) / kPicosecondsPerSecond; }

// Time to send `bytes` at `bit_per_s`, rounded to the nearest picosecond.
inline Picoseconds transmission_time(std::int64_t bytes, double bit_per_s) {
  return std::llround(static_cast<double>(bytes * 8) * kPicosecondsPerSecond / bit_per_s);
}

}  // namespace kit
