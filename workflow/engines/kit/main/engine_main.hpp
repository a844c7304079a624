// The command line that every engine has (docs/formats.md, "Engine").
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/main/run.hpp"
#include "kit/point/json.hpp"
#include "kit/point/point.hpp"

namespace kit {

using Simulate = std::function<Measurements(const Point&, std::uint64_t seed, const Progress&)>;

// Reads a point of whatever kind and returns its run.
using Answer = std::function<Json(const std::filesystem::path& point, std::uint64_t seed, const Progress&)>;

inline constexpr int kNotOffered = 3;  // the exit status of what is Unsupported; any other error has 1

// Returns the exit status. An error is one line on standard error.
int engine_main(int argc, char** argv, const Engine& engine, const std::string& what_it_does,
                const Answer& answer);

// The same for engines that simulate: the kit reads the point and writes the run.
int engine_main(int argc, char** argv, const Engine& engine, const std::string& what_it_does,
                const Simulate& simulate);

}  // namespace kit
