#pragma once

#include <cstdint>

#include "kit/point/point.hpp"
#include "netlink.hpp"

namespace linux_engine {

// A request for a queue discipline on a device; its options follow.
NetlinkRequest queue_request(const char* device, std::uint32_t parent, const char* kind);

// Puts the point's queue discipline of the kernel's into the "link" that is on the device. The buffer is its
// limit; what the point does not say is as the kernel has it. With ECN among the senders it marks.
void add_queue_discipline(const char* device, const kit::Point& point);

}  // namespace linux_engine
