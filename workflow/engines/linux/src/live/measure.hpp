#pragma once

#include <span>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "live/channel.hpp"
#include "live/packet_log.hpp"
#include "live/settings.hpp"

namespace linux_engine {

// What the log at the sender's end tells of a transfer, in the kit's terms. It goes from the connection's
// first packet to its last, as tcptrace has it. At the bottleneck a packet is one of the sender's, whatever
// is in it: the log says when it got there, and the settings what then became of it. `link` are the link's
// own counters, which tell of random losses.
kit::Measurements measure(const kit::Point& point, const Settings& settings,
                          std::span<const LoggedPacket> log, const ChannelCounters& link);

}  // namespace linux_engine
