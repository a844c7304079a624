#pragma once

#include <cstdint>

#include "kit/point/point.hpp"
#include "netlink.hpp"

namespace linux_engine {

// Random early detection as the kernel takes it: its queue is of bytes, with the header of a device that has
// none on the link, and its mean's weight is a power of two. What a point does not say: thresholds of a
// twelfth and a quarter of the buffer, a weight of 1/512, and a probability of 0.1.
struct RedSettings {
  std::uint32_t packet_bytes = 0;
  std::uint32_t min_packets = 0, max_packets = 0;
  double max_drop = 0;
  unsigned char weight_log = 0;
};
RedSettings red_settings(const kit::Point& point);

// A request for a queue discipline on a device; its options follow.
NetlinkRequest queue_request(const char* device, std::uint32_t parent, const char* kind);

// Puts the point's queue discipline of the kernel's into the "link" that is on the device. The buffer is its
// limit; what the point does not say is as the kernel has it. With ECN among the senders it marks.
void add_queue_discipline(const char* device, const kit::Point& point);

}  // namespace linux_engine
