#include "kit/local_loop/exact_point.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "kit/local_loop/read_settings.hpp"
#include "kit/point/json_reader.hpp"

namespace kit {
namespace {

// Reno with cumulative acknowledgements has one way of its own where the paper leaves several open.
void check_readings(const local_loop::Readings& readings) {
  using Readings = local_loop::Readings;
  if (readings.loss_detection == Readings::LossDetection::kInstantaneous) {
    return;
  }
  const auto only = [](bool is, const char* key, const char* value) {
    if (!is) {
      throw Unsupported(std::string("sources.0.tcp.") + key + ": with duplicate-acks only " + value);
    }
  };
  only(!readings.half_up, "odd_half", "smaller");
  only(!readings.old_acks_grow_window, "old_acks", "ignored");
  only(readings.timer == Readings::Timer::kRestarted, "timer", "restarted");
  only(readings.rtt_samples == Readings::RttSamples::kFirstOfWindow, "rtt_samples", "first-of-window");
}

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

bool is_local_loop(const Json& json) {
  const auto kind = json.is_object() ? json.find("kind") : json.end();
  return kind != json.end() && *kind == "local-loop";
}

LocalLoopPoint parse_local_loop_point(const Json& json, const std::string& file) {
  constexpr Range kSteps{2, 1000};
  constexpr Range kTest{0, 1e6, false};
  JsonReader reader(json, file);
  reader.choice("schema", {"tcp-atlas/point/2"});
  reader.choice("kind", {"local-loop"});
  LocalLoopPoint point{.study = reader.text("study"),
                       .set = reader.text("set"),
                       .name = reader.text("point"),
                       .settings = local_loop::read_settings(reader)};
  JsonReader steps = reader.object("fixed_point");
  point.warmup_packets = steps.whole("step_packets", kStop) * steps.whole("min_steps", kSteps);
  point.drawn_tolerance = steps.number("environment", kTest);
  steps.ignore({"scheme", "references", "condition", "max_steps", "averaging", "change", "fairness", "gaps",
                "service", "gap_after", "haste"});
  steps.finish();
  JsonReader stop = reader.object("stop");
  point.stop_packets = stop.whole("packets", kStop);
  stop.finish();
  reader.finish();
  try {
    local_loop::check(point.settings);
  } catch (const std::invalid_argument& error) {
    throw InputError(file + ": " + error.what());
  }
  check_times(point.settings, file);
  check_readings(point.settings.readings);
  return point;
}

}  // namespace kit
