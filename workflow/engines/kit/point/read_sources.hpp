// Reads the groups of sources of a point.
#pragma once

#include <string>
#include <vector>

#include "kit/point/json_reader.hpp"
#include "kit/point/point.hpp"

namespace kit {

Link read_link(JsonReader& reader, const std::string& key);

std::vector<SourceGroup> read_sources(JsonReader& point);

}  // namespace kit
