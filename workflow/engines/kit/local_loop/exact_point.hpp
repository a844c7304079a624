// A point of kind local-loop.
#pragma once

#include <cstdint>
#include <string>

#include "kit/local_loop/settings.hpp"
#include "kit/main/units.hpp"
#include "kit/point/json.hpp"
#include "kit/point/point.hpp"

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

// Checks a point; `file` is only named in messages. Throws InputError, and Unsupported for what local loops
// do not have. Of `fixed_point` only the tolerance of what is drawn says anything here: nothing is
// simplified.
LocalLoopPoint local_loop_point(const Point& point, const std::string& file);

// The same from JSON.
LocalLoopPoint parse_local_loop_point(const Json& json, const std::string& file);

}  // namespace kit
