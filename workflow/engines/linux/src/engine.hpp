#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "kit/main/engine_main.hpp"
#include "settings.hpp"

// What the engines of the kernel's own TCP share, be it in virtual time or in real time.
namespace linux_engine {

// Makes transfers and leaves the directory of a run (experiment.hpp).
using Run = std::function<void(const Settings&, const std::filesystem::path& out)>;

// What keeps a run from working here, found by making this one; none if nothing does.
std::optional<std::string> missing(const Run& run, const Settings& shortest);

// A point's transfer. Throws kit::Unsupported, and what `run` throws.
kit::Measurements simulate(const Run& run, const kit::Point& point, std::uint64_t seed,
                           const kit::Progress& progress);

}  // namespace linux_engine
