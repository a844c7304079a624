// The run file: what a run has measured, as docs/formats.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "json.hpp"
#include "measurements.hpp"
#include "point.hpp"

namespace packetsim {

// Whose run it is; this library's own unless told otherwise.
struct Engine {
  const char* name = "packetsim";
  const char* version = PACKETSIM_VERSION;
};

Json run_json(const Point& point, std::uint64_t seed, const Measurements& measurements,
              const Engine& engine = {});

// Writes the whole file under another name and then renames it, so that nothing half-written ever stands
// there. Throws std::runtime_error with one line.
void write_atomically(const Json& json, const std::filesystem::path& file);

}  // namespace packetsim
