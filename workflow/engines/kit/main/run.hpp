// The run file, as docs/formats.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "kit/main/measurements.hpp"
#include "kit/point/json.hpp"
#include "kit/point/point.hpp"

namespace kit {

// The engine that made a run.
struct Engine {
  const char* name;
  const char* version;
  // For --check: what this machine lacks for the engine to run, in one line. Null: nothing beyond its
  // libraries.
  std::optional<std::string> (*missing)() = nullptr;
};

Json run_json(const Point& point, std::uint64_t seed, const Measurements& measurements, const Engine& engine);

// Writes the whole file under another name and then renames it, so that the file is never
// incomplete. Throws std::runtime_error with one line.
void write_atomically(const Json& json, const std::filesystem::path& file);

}  // namespace kit
