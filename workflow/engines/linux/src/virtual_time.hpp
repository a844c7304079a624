#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "settings.hpp"

namespace seawind {

// A run in virtual time: the same programs as live, inside the User-Mode Linux `kernel` (uml/build.sh), where
// idle time takes none. No privileges are needed; the same settings give the same bytes. The result is the
// directory `out` (experiment.hpp). Throws Failure; Status::unavailable if there is no such kernel or it does
// not start.
void run_in_virtual_time(const Settings& settings, const std::filesystem::path& kernel,
                         const std::filesystem::path& out);

// What User-Mode Linux starts as its first process; ends by switching it off.
[[noreturn]] void run_as_guest(std::span<const std::string_view> words);

}  // namespace seawind
