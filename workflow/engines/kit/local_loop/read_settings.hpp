// Reads what a point of kind local-loop says of the loop and its users, as docs/formats.md describes it.
#pragma once

#include "kit/local_loop/settings.hpp"
#include "kit/point/json_reader.hpp"

namespace kit::local_loop {

inline constexpr Range kTime{0, 86400, false};  // s

// All but the keys `fixed_point` and `stop`, which are the engine's own to read. Throws InputError.
Settings read_settings(JsonReader& point);

}  // namespace kit::local_loop
