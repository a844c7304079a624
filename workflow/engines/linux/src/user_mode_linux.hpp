#pragma once

#include <cstdint>
#include <filesystem>

#include "kit/main/engine_main.hpp"

namespace linux_engine {

// Runs a point inside of the User-Mode Linux `kernel` (uml/build.sh), in virtual time: idle time takes none.
// No privileges are needed; the same point and seed give the same bytes; whatever ends the caller ends all of
// it. Throws std::runtime_error if there is no such kernel or it does not start, and std::runtime_error with
// what the guest said.
kit::Json run_in_guest(const kit::Json& point, std::uint64_t seed, const std::filesystem::path& kernel);

// What User-Mode Linux starts as its first process; ends by switching it off.
[[noreturn]] void run_as_guest(const kit::Engine& engine);

}  // namespace linux_engine
