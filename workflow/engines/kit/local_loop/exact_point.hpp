// A point of kind local-loop.
#pragma once

#include <cstdint>
#include <string>

#include "kit/local_loop/settings.hpp"
#include "kit/main/units.hpp"
#include "kit/point/json.hpp"

namespace kit {

struct LocalLoopPoint {
  std::string study;
  std::string set;
  std::string name;
  local_loop::Settings settings;
  std::int64_t warmup_packets = 0;  // that all users together send
  std::int64_t stop_packets = 0;    // after the warm-up
  double drawn_tolerance = 0;       // of what is drawn of bursts and think times (section 5.4)
};

// Whether a point, valid or not, is of kind local-loop.
bool is_local_loop(const Json& json);

// Reads and checks a point; `file` is only named in messages. Throws InputError, and Unsupported for the
// readings of duplicate acknowledgements that Reno does not have.
//
// Of `fixed_point` the least number of steps is the warm-up, as with the scheme exact of that engine. The
// rest says how others than the references are simplified, and here is nothing simplified.
LocalLoopPoint parse_local_loop_point(const Json& json, const std::string& file);

}  // namespace kit
