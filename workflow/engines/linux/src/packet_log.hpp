#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "emulator/emulator.hpp"

namespace linux_engine {

// A TCP packet of a filter log.
struct LoggedPacket {
  Nanoseconds time;  // since the epoch
  End from;
  std::int64_t bytes;    // of the whole IP packet
  std::int64_t payload;  // bytes of data in it
  std::uint32_t seq, ack;
  unsigned window;  // as in the header, not scaled
};

// The packets of a log that FilterLog wrote. Throws std::runtime_error, which names the file, if it cannot be
// read, is of another format or ends inside a packet.
std::vector<LoggedPacket> read_packet_log(const std::filesystem::path& path);

}  // namespace linux_engine
