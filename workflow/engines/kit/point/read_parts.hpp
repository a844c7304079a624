// Parts of a point, each read and checked by itself.
#pragma once

#include <string>
#include <vector>

#include "kit/point/json_reader.hpp"
#include "kit/point/point.hpp"

namespace kit {

Queue read_queue(JsonReader& reader);
Link read_link(JsonReader& reader, const std::string& key);
Dumbbell read_dumbbell(JsonReader& point);
LocalLoop read_local_loop(JsonReader& point);
FixedPoint read_fixed_point(JsonReader& point);
CrossTrafficSpec read_cross_traffic(JsonReader& point);
// A group that does not say which hops it passes has this as its last one.
inline constexpr std::int32_t kAllHops = -1;
std::vector<SourceGroup> read_sources(JsonReader& point);
Stop read_stop(JsonReader& point);
Probes read_probes(JsonReader& reader, const Point& point);

}  // namespace kit
