#pragma once

#include <cstdint>

#include "units.hpp"

namespace linux_engine {

// The two ends of a transfer; a direction is named by the end that sends.
enum class End : std::uint8_t { kSender = 0, kReceiver = 1 };

// A TCP packet of a filter log.
struct LoggedPacket {
  Nanoseconds time;  // since the epoch
  End from;
  std::int64_t bytes;    // of the whole IP packet
  std::int64_t payload;  // bytes of data in it
  std::uint32_t seq, ack;
  unsigned window;  // as in the header, not scaled
};

}  // namespace linux_engine
