#pragma once

#include <filesystem>
#include <span>

#include "uml/dumbbell.h"

namespace linux_engine {

// Writes a log of a transfer's packets in the format of libpcap (draft-ietf-opsawg-pcap), which tcpdump,
// tcptrace and Wireshark read: of each packet the headers, without TCP's options, which the log does not
// have. Throws std::system_error.
void write_capture(std::span<const link_log_record> log, const std::filesystem::path& path);

}  // namespace linux_engine
