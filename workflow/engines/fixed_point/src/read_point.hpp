// Reads a point of kind local-loop, as docs/formats.md describes it.
#pragma once

#include <filesystem>
#include <string>

#include "kit/point/json.hpp"
#include "settings.hpp"

namespace fixed_point {

struct Point {
  std::string study;
  std::string set;
  std::string name;
  Settings settings;
};

// Reads and checks a point. Throws kit::InputError: a line with file, key and what is allowed.
Point read_point(const std::filesystem::path& file);

// The same from parsed JSON; `file` is only named in messages.
Point parse_point(const kit::Json& json, const std::string& file);

}  // namespace fixed_point
