// A connection alone on its path in closed form (Zaragoza 2014, section 4.2), and the points of that section.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit/main/units.hpp"
#include "kit/tests/points.hpp"

namespace kit {

struct Path {
  Picoseconds rtt;      // empty path, one packet
  Picoseconds slowest;  // transmission time on the slowest link
};

inline Path path_of(const Point& point) {
  const auto time_on = [&](double rate) { return transmission_time(point.packet_bytes, rate); };
  const Picoseconds access = time_on(point.groups[0].access.rate_bit_per_s);
  const Picoseconds bottleneck = time_on(point.dumbbell().bottleneck.rate_bit_per_s);
  const Picoseconds egress = time_on(point.dumbbell().egress.rate_bit_per_s);
  return {access + bottleneck + egress + picoseconds(point.groups[0].access.delay_s) +
              picoseconds(point.dumbbell().bottleneck.delay_s) +
              picoseconds(point.dumbbell().egress.delay_s) + picoseconds(point.return_delay_s),
          std::max({access, bottleneck, egress})};
}

// Flights double from 2 up to the receiver's window; once a flight takes longer than a round trip it never
// ends, and all that is left belongs to it. ON = m RTT + n Delta with m flights, the last of n + 1.
inline Picoseconds on_time(std::int64_t file, std::int64_t rwnd, Path path) {
  std::int64_t flight = std::min<std::int64_t>(2, rwnd);
  std::int64_t rounds = 1;
  for (std::int64_t left = file;; ++rounds) {
    const bool saturated = flight * path.slowest > path.rtt;
    if (left <= flight || saturated) {
      return rounds * path.rtt + (left - 1) * path.slowest;
    }
    left -= flight;
    flight = std::min(2 * flight, rwnd);
  }
}

// The special setting: 1.5 Mbit/s, 128 kbit/s, D = 300 ms, packets of 576 bytes, acknowledgements of 40.
inline Point special_point(std::int32_t file, std::int32_t rwnd) {
  Point point = isolated_point(table_6_point(1, 1000), file);
  point.packet_bytes = 576;
  point.dumbbell().bottleneck.rate_bit_per_s = 1.5e6;
  point.dumbbell().bottleneck.delay_s = 0.15;
  point.dumbbell().egress.rate_bit_per_s = 128e3;
  point.return_delay_s = 0.15 + 40 * 8 * (1 / 100e6 + 1 / 1.5e6 + 1 / 128e3);
  point.groups[0].tcp.rwnd_packets = rwnd;
  point.stop.connections = 1;
  return point;
}

}  // namespace kit
