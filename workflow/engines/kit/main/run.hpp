// The run file, as docs/formats.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kit/main/measurements.hpp"
#include "kit/main/units.hpp"
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

// What every run starts with, whatever the kind of its point: the engine, the point's study, set and name,
// the seed and the simulated time.
template <class AnyPoint>
Json run_head(const AnyPoint& point, std::uint64_t seed, Picoseconds end, const Engine& engine) {
  return {{"schema", "tcp-atlas/run/1"},
          {"engine", engine.name},
          {"engine_version", engine.version},
          {"study", point.study},
          {"set", point.set},
          {"point", point.name},
          {"seed", seed},
          {"simulated_s", seconds(end)}};
}

Json run_json(const Point& point, std::uint64_t seed, const Measurements& measurements, const Engine& engine);

// Writes the whole file under another name and then renames it, so that the file is never
// incomplete. A device or a pipe is written to directly: renaming would replace it by a file.
// Throws std::runtime_error with one line.
void write_atomically(const Json& json, const std::filesystem::path& file);

}  // namespace kit
