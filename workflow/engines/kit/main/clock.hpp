// The end of simulated time, before the clock's 63 bits overflow.
#pragma once

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"

namespace kit {

// 53 days. As much again is left for whatever is scheduled ahead: see ranges.hpp.
inline constexpr Picoseconds kClockEnd = Picoseconds{1} << 62;

// How far a link of one source may be behind with packets that were given to it: 11 days.
inline constexpr Picoseconds kLongestBacklog = 1'000'000'000'000'000'000;

[[noreturn]] inline void clock_ended() {
  throw Unsupported(
      "stop: is not reached in 53 days of simulated time, where the clock ends; must be sooner");
}

// To be called when a retransmission timer has run out: only then are packets sent that wait behind copies of
// themselves.
inline void check_backlog(Picoseconds link_free, Picoseconds now) {
  if (link_free - now > kLongestBacklog) {
    throw Unsupported(
        "sources: retransmit faster than their access or egress link sends, until it is 11 days behind; the "
        "rate must be higher, or tcp.min_rto_s longer");
  }
}

}  // namespace kit
