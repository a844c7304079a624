#pragma once

#include "kit/point/point.hpp"
#include "live/settings.hpp"

namespace linux_engine {

// The experiment that a point asks for: one bulk transfer of so many packets of the point's size, each a full
// segment. What the point says of the way is emulated by one link each way. There, with the bottleneck's
// rate, queue and loss, the other links add their delays and the time they take to send a packet; back,
// acknowledgements take the return delay, do not queue and are not lost.
// Throws kit::Unsupported.
Settings settings_of(const kit::Point& point, std::uint64_t seed);

}  // namespace linux_engine
