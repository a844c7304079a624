#pragma once

#include <filesystem>
#include <span>

#include "uml/dumbbell.h"

namespace linux_engine {

// Writes a log of a transfer's packets as a file that tcpdump and tcptrace read (FilterLog), but without
// TCP's options, which the log does not have. Throws std::system_error.
void write_capture(std::span<const link_log_record> log, const std::filesystem::path& file);

}  // namespace linux_engine
