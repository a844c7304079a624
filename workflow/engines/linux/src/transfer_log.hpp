// The probe filter-log, of a log of packets.
#pragma once

#include <cstdint>
#include <span>

#include "kit/probes/results.hpp"
#include "logged_packet.hpp"

namespace linux_engine {

struct TransferSizes {
  std::int64_t mss_bytes, rwnd_segments;
};

// What the log at the sender's end tells of a transfer, in the kit's terms. Returns the segments that were
// acknowledged.
std::int64_t read_transfer(std::span<const LoggedPacket> log, const TransferSizes& sizes,
                           kit::ProbeResults& results);

}  // namespace linux_engine
