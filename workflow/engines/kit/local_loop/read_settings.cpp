#include "kit/local_loop/read_settings.hpp"

#include <string>
#include <string_view>

namespace kit::local_loop {
namespace {

// As those that scenarios have (workflow/tcpatlas/points/kinds/local_loop.py).
constexpr Range kLoadMean{0, 1, false};
constexpr Range kLoadDeviation{0, 100};
constexpr Range kTimeDeviation{0, 1e6};
constexpr Range kBurstDeviation{0, 1e9};
constexpr Range kWindow{1, 1e4};
constexpr Range kTicks{1, 1e6};

FractionalLoad read_load(JsonReader& station) {
  JsonReader reader = station.object("load");
  FractionalLoad load;
  load.mean = reader.number("mean", kLoadMean);
  load.sd = reader.number("standard_deviation", kLoadDeviation);
  load.hurst = reader.number("hurst", kShare);
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
  settings.buffer.packets = station.count("buffer_packets", kPackets);
  settings.readings.head_of_line_in_buffer = station.choice("head_of_line", {"in-buffer", "apart"}) == 0;
}

void read_stations(JsonReader& point, Settings& settings) {
  std::size_t shared = 0;
  std::size_t loaded = 0;
  settings.path.clear();
  for (JsonReader& station : point.objects("stations")) {
    const std::size_t index = settings.path.size();
    station.ignore({"name"});
    settings.path.push_back({.rate_bit_per_s = station.number("rate_bit_per_s", kRate),
                             .delay_s = station.number("delay_s", kDelay)});
    if (station.has("queue")) {
      read_shared(station, index, settings);
      ++shared;
    } else if (station.has("load")) {
      settings.backbone = Backbone{.station = index, .load = read_load(station)};
      settings.backbone->buffer_packets = station.count("buffer_packets", kPackets);
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
                  .tick_s = reader.number("clock_tick_s", kTimer),
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
    settings.start_spread_s = reader.number("start_spread_s", kDelay);
    reader.finish();
    return;
  }
  JsonReader burst = reader.object("burst");
  JsonReader think = reader.object("think_time");
  settings.workload = Workload{.burst_mean = burst.number("mean_packets", kFilePackets),
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
  settings.users = users.count("count", kSources);
  read_workload(users, settings);
  read_tcp(users, settings);
  users.finish();
}

}  // namespace

Settings read_settings(JsonReader& point) {
  Settings settings;
  read_stations(point, settings);
  settings.return_delay_s = point.number("return_delay_s", kReturnDelay);
  settings.packet_bytes = point.count("packet_bytes", kPacketBytes);
  read_users(point, settings);
  // `known` is for models, the rest for the driver of the replications.
  point.ignore({"known", "probes", "parameters", "replications", "seed"});
  return settings;
}

}  // namespace kit::local_loop
