#pragma once

#include <filesystem>

#include "settings.hpp"

namespace linux_engine {

// A run in virtual time: the same programs as live, inside the User-Mode Linux `kernel` (uml/build.sh), where
// idle time takes none. No privileges are needed; the same settings give the same bytes. The result is the
// directory `out` (experiment.hpp). Throws kit::Unavailable if there is no such kernel or it does
// not start.
void run_in_virtual_time(const Settings& settings, const std::filesystem::path& kernel,
                         const std::filesystem::path& out);

// What User-Mode Linux starts as its first process; ends by switching it off.
[[noreturn]] void run_as_guest();

}  // namespace linux_engine
