#include "kit/local_loop/exact_point.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "kit/local_loop/settings_of.hpp"
#include "kit/point/ranges.hpp"

namespace kit {
namespace {

// Times are picoseconds in 64 bits: a full queue or window takes at most so long to be sent, and the load of
// the backbone repeats itself before the clock ends.
void check_times(const local_loop::Settings& settings, const std::string& file) {
  constexpr double kLongestPeriod_s = 4e6;
  for (std::size_t i = 0; i < settings.path.size(); ++i) {
    double packets = settings.tcp.max_window;
    if (i == settings.shared) {
      const double users = settings.users;
      packets = settings.buffer.packets * (settings.buffer.individual ? users : 1.0) + users;
    } else if (settings.backbone && i == settings.backbone->station) {
      packets += settings.backbone->buffer_packets;
    }
    const double time_s = packets * 8.0 * settings.packet_bytes / settings.path[i].rate_bit_per_s;
    if (time_s > kLongestQueue_s) {
      throw InputError(file + ": stations." + std::to_string(i) +
                       ".rate_bit_per_s: a full queue or window takes " + std::to_string(time_s) +
                       " s to be sent; must take at most " + std::to_string(kLongestQueue_s) + " s");
    }
  }
  if (settings.backbone) {
    const FractionalLoad& load = settings.backbone->load;
    if (load.slot_s * static_cast<double>(load.period) > kLongestPeriod_s) {
      throw InputError(file + ": stations." + std::to_string(settings.backbone->station) +
                       ".load.slot_s: is " + std::to_string(load.slot_s) + "; must be at most " +
                       std::to_string(kLongestPeriod_s / static_cast<double>(load.period)));
    }
  }
}

}  // namespace

LocalLoopPoint parse_local_loop_point(const Json& json, const std::string& file) {
  return local_loop_point(parse_point(json, file), file);
}

LocalLoopPoint local_loop_point(const Point& point, const std::string& file) {
  LocalLoopPoint loop{.study = point.study,
                      .set = point.set,
                      .name = point.name,
                      .settings = local_loop::settings_of(point),
                      .warmup_packets = point.stop.warmup_packets,
                      .stop_packets = point.stop.packets,
                      .drawn_tolerance = point.fixed_point->environment};
  try {
    local_loop::check(loop.settings);
  } catch (const std::invalid_argument& error) {
    throw InputError(file + ": " + error.what());
  }
  check_times(loop.settings, file);
  return loop;
}

}  // namespace kit
