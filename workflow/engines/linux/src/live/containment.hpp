#pragma once

#include <filesystem>

#include "live/settings.hpp"

namespace linux_engine {

// A run in real time on this machine's kernel, in user, process and network namespaces of its own: no
// privileges are needed, nothing of the machine's network is touched, and whatever ends the caller ends all
// of it. The result is the directory `out` (experiment.hpp). Throws kit::Unavailable if this
// machine forbids it, TooLate if it was too busy.
void run_live(const Settings& settings, const std::filesystem::path& out);

}  // namespace linux_engine
