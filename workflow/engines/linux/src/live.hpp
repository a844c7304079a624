#pragma once

#include <filesystem>

#include "settings.hpp"

namespace seawind {

// A run in real time on this machine's kernel, in user, process and network namespaces of its own: no
// privileges are needed, nothing of the machine's network is touched, and whatever ends the caller ends all
// of it. The result is the directory `out` (experiment.hpp). Returns the exit status, after a line that says
// why if it is not 0. Throws Failure.
int run_live(const Settings& settings, const std::filesystem::path& out);

}  // namespace seawind
