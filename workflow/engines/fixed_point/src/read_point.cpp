#include "read_point.hpp"

#include <algorithm>
#include <stdexcept>

#include "kit/point/json_reader.hpp"
#include "path.hpp"

namespace fixed_point {
namespace {

using kit::JsonReader;

// As those that scenarios have (workflow/tcpatlas/points/kinds/local_loop.py).
constexpr kit::Range kLoadMean{0, 1, false};
constexpr kit::Range kLoadDeviation{0, 100};
constexpr kit::Range kTime{0, 86400, false};
constexpr kit::Range kTimeDeviation{0, 1e6};
constexpr kit::Range kBurstDeviation{0, 1e9};
constexpr kit::Range kWindow{1, 1e4};
constexpr kit::Range kTicks{1, 1e6};
constexpr kit::Range kSteps{2, 1000};
constexpr kit::Range kTest{0, 1e6, false};

FractionalLoad read_load(JsonReader& station) {
  JsonReader reader = station.object("load");
  FractionalLoad load;
  load.mean = reader.number("mean", kLoadMean);
  load.sd = reader.number("standard_deviation", kLoadDeviation);
  load.hurst = reader.number("hurst", kit::kShare);
  load.slot_s = reader.number("slot_s", kTime);
  reader.finish();
  return load;
}

void read_shared(JsonReader& station, std::size_t index, Settings& settings) {
  settings.shared = index;
  const std::size_t queue = station.choice("queue", {"fair-shared", "fair-individual", "drop-tail"});
  settings.buffer.individual = queue == 1;
  settings.buffer.fifo = queue == 2;
  settings.buffer.drop = queue == 0 ? Drop::kLongestQueueFirst : Drop::kArriving;
  settings.buffer.packets = station.count("buffer_packets", kit::kPackets);
  settings.readings.head_of_line_in_buffer = station.choice("head_of_line", {"in-buffer", "apart"}) == 0;
}

void read_stations(JsonReader& point, Settings& settings) {
  std::size_t shared = 0;
  std::size_t loaded = 0;
  settings.path.clear();
  for (JsonReader& station : point.objects("stations")) {
    const std::size_t index = settings.path.size();
    station.ignore({"name"});
    settings.path.push_back({.rate_bit_per_s = station.number("rate_bit_per_s", kit::kRate),
                             .delay_s = station.number("delay_s", kit::kDelay)});
    if (station.has("queue")) {
      read_shared(station, index, settings);
      ++shared;
    } else if (station.has("load")) {
      settings.backbone = Backbone{.station = index, .load = read_load(station)};
      settings.backbone->buffer_packets = station.count("buffer_packets", kit::kPackets);
      ++loaded;
    }
    station.finish();
  }
  if (shared != 1) {
    point.fail("stations", "has " + std::to_string(shared) + " with a queue; exactly one, the shared router");
  }
  if (loaded > 1) {
    point.fail("stations", "has " + std::to_string(loaded) + " with a load; at most one");
  }
}

void read_tcp(JsonReader& users, Settings& settings) {
  JsonReader reader = users.object("tcp");
  reader.choice("variant", {"reno"});
  settings.tcp = {.max_window = reader.count("rwnd_packets", kWindow),
                  .tick_s = reader.number("clock_tick_s", kTime),
                  .min_rto_ticks = reader.count("min_rto_ticks", kTicks),
                  .idle_s = reader.number("idle_restart_s", kTime)};
  if (settings.tcp.min_rto_ticks * settings.tcp.tick_s > kTime.high) {
    reader.fail("min_rto_ticks", "makes the shortest timeout longer than a day");
  }
  Readings& readings = settings.readings;
  const auto second = [&](const char* key, std::string_view one, std::string_view other) {
    return reader.choice(key, {one, other}) == 1;
  };
  readings.loss_detection = second("loss_detection", "instantaneous", "duplicate-acks")
                                ? Readings::LossDetection::kDuplicateAcks
                                : Readings::LossDetection::kInstantaneous;
  readings.halving = second("halving", "per-window", "per-loss") ? Readings::Halving::kPerLoss
                                                                 : Readings::Halving::kPerWindow;
  readings.half_up = second("odd_half", "smaller", "larger");
  readings.old_acks_grow_window = second("old_acks", "ignored", "grow-window");
  readings.timer =
      second("timer", "per-packet", "restarted") ? Readings::Timer::kRestarted : Readings::Timer::kPerPacket;
  readings.rtt_samples = second("rtt_samples", "first-of-window", "every-packet")
                             ? Readings::RttSamples::kEveryPacket
                             : Readings::RttSamples::kFirstOfWindow;
  reader.finish();
}

void read_workload(JsonReader& users, Settings& settings) {
  JsonReader reader = users.object("workload");
  if (reader.choice("kind", {"http", "bulk"}) == 1) {
    settings.start_spread_s = reader.number("start_spread_s", kit::kDelay);
    reader.finish();
    return;
  }
  JsonReader burst = reader.object("burst");
  JsonReader think = reader.object("think_time");
  settings.workload = Workload{.burst_mean = burst.number("mean_packets", kit::kFilePackets),
                               .burst_sd = burst.number("standard_deviation_packets", kBurstDeviation),
                               .think_mean_s = think.number("mean_s", kTime),
                               .think_sd_s = think.number("standard_deviation_s", kTimeDeviation)};
  burst.finish();
  think.finish();
  settings.readings.think_from_equilibrium = reader.choice("first_think", {"equilibrium", "whole"}) == 0;
  settings.readings.on_time_ends = reader.choice("ends_at", {"source", "destination"}) == 0
                                       ? Readings::OnTimeEnd::kSource
                                       : Readings::OnTimeEnd::kDestination;
  reader.finish();
}

void read_users(JsonReader& point, Settings& settings) {
  std::vector<JsonReader> groups = point.objects("sources");
  if (groups.size() != 1) {
    point.fail("sources", "has " + std::to_string(groups.size()) + " groups; exactly one");
  }
  JsonReader& users = groups.front();
  users.ignore({"name"});
  settings.users = users.count("count", kit::kSources);
  read_workload(users, settings);
  read_tcp(users, settings);
  users.finish();
}

// A point counts the packets of all users, the iteration those of the references: their share, all alike.
std::int64_t of_references(std::int64_t packets, const Settings& settings) {
  return std::max<std::int64_t>(packets * settings.references / settings.users, 1);
}

void read_iteration(JsonReader& point, Settings& settings) {
  JsonReader reader = point.object("fixed_point");
  const std::size_t scheme = reader.choice("scheme", {"0", "1", "2", "exact"});
  settings.references = reader.count("references", {1, static_cast<double>(settings.users)});
  if (scheme == 3) {
    if (settings.references != settings.users) {
      reader.fail("references", "must be all users with the scheme exact");
    }
  } else {
    settings.scheme = static_cast<Scheme>(scheme);
  }
  constexpr Condition kConditions[] = {Condition::kOnUsers, Condition::kBackloggedUsers, Condition::kNothing};
  settings.condition = kConditions[reader.choice("condition", {"users", "backlogged", "nothing"})];
  Iteration& iteration = settings.iteration;
  iteration.step_packets = of_references(reader.whole("step_packets", kit::kStop), settings);
  iteration.min_steps = reader.count("min_steps", kSteps);
  iteration.max_steps = reader.count("max_steps", kSteps);
  iteration.change = reader.number("change", kTest);
  iteration.averaging = reader.choice("averaging", {"none", "linear"}) == 1;
  iteration.environment = reader.number("environment", kTest);
  iteration.fairness = reader.number("fairness", kTest);
  Readings& readings = settings.readings;
  readings.gap_law = reader.choice("gaps", {"exponential", "constant"}) == 0 ? Readings::GapLaw::kExponential
                                                                             : Readings::GapLaw::kConstant;
  readings.service_law = reader.choice("service", {"lognormal", "exponential"}) == 0
                             ? Readings::ServiceLaw::kLognormal
                             : Readings::ServiceLaw::kExponential;
  readings.gap_after_release = reader.choice("gap_after", {"release", "due"}) == 0;
  constexpr Readings::Haste kHastes[] = {Readings::Haste::kNone, Readings::Haste::kForRate,
                                         Readings::Haste::kForQueue};
  readings.haste = kHastes[reader.choice("haste", {"none", "rate", "queue"})];
  reader.finish();
}

}  // namespace

Point parse_point(const kit::Json& json, const std::string& file) {
  JsonReader reader(json, file);
  reader.choice("schema", {"tcp-atlas/point/2"});
  reader.choice("kind", {"local-loop"});
  Point point{
      .study = reader.text("study"), .set = reader.text("set"), .name = reader.text("point"), .settings = {}};
  Settings& settings = point.settings;
  read_stations(reader, settings);
  settings.return_delay_s = reader.number("return_delay_s", kit::kReturnDelay);
  settings.packet_bytes = reader.count("packet_bytes", kit::kPacketBytes);
  read_users(reader, settings);
  read_iteration(reader, settings);
  JsonReader stop = reader.object("stop");
  settings.iteration.packets = of_references(stop.whole("packets", kit::kStop), settings);
  stop.finish();
  // `known` is for models, the rest for the driver of the replications.
  reader.ignore({"known", "probes", "parameters", "replications", "seed"});
  reader.finish();
  try {
    check(settings);
  } catch (const std::invalid_argument& error) {
    throw kit::InputError(file + ": " + error.what());
  }
  return point;
}

Point read_point(const std::filesystem::path& file) {
  return parse_point(kit::read_json(file), file.string());
}

}  // namespace fixed_point
