// SPDX-License-Identifier: GPL-2.0-only
// Links of any rate and packets of any size, of devices that know whole bits per second and headers only.
#pragma once

#include <cstdint>

#include "kit/point/point.hpp"

namespace tcp_atlas {

inline constexpr std::uint32_t kFramingBytes = 2;  // of a point-to-point device

// How many times as large the packets and as fast the links are in ns-3: then all transmissions take as long
// as at the point. The least scale that gives a packet place for its headers and, with rates rounded to whole
// bits per second, every link the point's transmission time to the picosecond; 1 as a rule. If none does, the
// largest that there is, which a link of R bit/s takes at most 0.5 / (scale R) of its transmission time
// amiss. Throws kit::Unsupported.
std::uint32_t link_scale(const kit::Point& point);

// In bit/s.
std::uint64_t scaled_rate(const kit::Link& link, std::uint32_t scale);

}  // namespace tcp_atlas
