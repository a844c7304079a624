#pragma once

#include <filesystem>
#include <vector>

#include "logged_packet.hpp"

namespace linux_engine {

// The packets of a log that FilterLog wrote. Throws std::runtime_error, which names the file, if it cannot be
// read, is of another format or ends inside a packet.
std::vector<LoggedPacket> read_packet_log(const std::filesystem::path& path);

}  // namespace linux_engine
