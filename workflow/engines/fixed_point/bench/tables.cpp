// Tables 1 to 5 by scheme: a program for experiments.
//
//   fixed_point_tables CASE USERS SCHEME [name=value ...]
//
// CASE: loop, load90, load100, or bulk-individual, bulk-shared (USERS is then the buffer in packets). SCHEME:
// 0, 1, 2 or exact.

#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "results.hpp"

namespace fixed_point {
namespace {

Settings settings_of(const std::string& name, int users) {
  if (name == "bulk-individual" || name == "bulk-shared") {
    return bulk_sources(users, name == "bulk-individual");
  }
  Settings settings = local_loop(users);
  if (name != "loop") {
    settings.path[2].rate_bit_per_s = 80e6;
    const double mean = name == "load90" ? 0.9 : name == "load100" ? 1.0 : 0.0;
    settings.backbone = Backbone{.load = {.mean = mean, .sd = mean / 2, .hurst = 0.7}};
  }
  return settings;
}

using Setter = std::function<void(Settings&, double)>;

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> kSetters = {
      {"references", [](Settings& s, double v) { s.references = static_cast<std::int32_t>(v); }},
      {"packets", [](Settings& s, double v) { s.iteration.packets = static_cast<std::int64_t>(v); }},
      {"step", [](Settings& s, double v) { s.iteration.step_packets = static_cast<std::int64_t>(v); }},
      {"averaging", [](Settings& s, double v) { s.iteration.averaging = v != 0; }},
      {"change", [](Settings& s, double v) { s.iteration.change = v; }},
      {"steps", [](Settings& s, double v) { s.iteration.max_steps = static_cast<std::int32_t>(v); }},
      {"slot", [](Settings& s, double v) { s.backbone.value().load.slot_s = v; }},
      {"period", [](Settings& s, double v) { s.backbone.value().load.period = static_cast<std::size_t>(v); }},
      {"condition", [](Settings& s, double v) { s.condition = static_cast<Condition>(static_cast<int>(v)); }},
      {"per_loss",
       [](Settings& s, double v) {
         s.readings.halving = v != 0 ? Readings::Halving::kPerLoss : Readings::Halving::kPerWindow;
       }},
      {"half_up", [](Settings& s, double v) { s.readings.half_up = v != 0; }},
      {"old_acks", [](Settings& s, double v) { s.readings.old_acks_grow_window = v != 0; }},
      {"head", [](Settings& s, double v) { s.readings.head_of_line_in_buffer = v != 0; }},
      {"restarted",
       [](Settings& s, double v) {
         s.readings.timer = v != 0 ? Readings::Timer::kRestarted : Readings::Timer::kPerPacket;
       }},
      {"every_rtt",
       [](Settings& s, double v) {
         s.readings.rtt_samples =
             v != 0 ? Readings::RttSamples::kEveryPacket : Readings::RttSamples::kFirstOfWindow;
       }},
      {"duplicates",
       [](Settings& s, double v) {
         s.readings.loss_detection =
             v != 0 ? Readings::LossDetection::kDuplicateAcks : Readings::LossDetection::kInstantaneous;
       }},
      {"to_destination",
       [](Settings& s, double v) {
         s.readings.on_time_ends = v != 0 ? Readings::OnTimeEnd::kDestination : Readings::OnTimeEnd::kSource;
       }},
      {"constant_gap",
       [](Settings& s, double v) {
         s.cross.gap_law = v != 0 ? CrossReadings::GapLaw::kConstant : CrossReadings::GapLaw::kExponential;
       }},
      {"exponential_service",
       [](Settings& s, double v) {
         s.cross.service_law =
             v != 0 ? CrossReadings::ServiceLaw::kExponential : CrossReadings::ServiceLaw::kLognormal;
       }},
      {"after_release", [](Settings& s, double v) { s.cross.gap_after_release = v != 0; }},
      {"haste",
       [](Settings& s, double v) { s.cross.haste = static_cast<CrossReadings::Haste>(static_cast<int>(v)); }},
      {"drop_arriving",
       [](Settings& s, double v) { s.buffer.drop = v != 0 ? Drop::kArriving : Drop::kLongestQueueFirst; }},
      {"burst_sd", [](Settings& s, double v) { s.workload.value().burst_sd = v; }},
      {"think_sd", [](Settings& s, double v) { s.workload.value().think_sd_s = v; }},
  };
  return kSetters;
}

int run(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s CASE USERS SCHEME [name=value ...]\n", argv[0]);
    return 2;
  }
  Settings settings = settings_of(argv[1], std::stoi(argv[2]));
  const std::string scheme = argv[3];
  if (scheme == "exact") {
    settings.references = settings.users;
  } else if (scheme == "0" || scheme == "1" || scheme == "2") {
    settings.scheme = static_cast<Scheme>(std::stoi(scheme));
  } else {
    throw std::invalid_argument("scheme " + scheme + ": must be 0, 1, 2 or exact");
  }
  std::uint64_t seed = 1;
  for (int i = 4; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const double value = std::stod(argument.substr(equals + 1));
    if (name == "seed") {
      seed = static_cast<std::uint64_t>(value);
    } else if (const auto found = setters().find(name); found != setters().end()) {
      found->second(settings, value);
    } else {
      throw std::invalid_argument("no setting " + name);
    }
  }
  const std::clock_t began = std::clock();
  const Results r = solve(settings, seed);
  const double cpu_s = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  const double bits = 8.0 * settings.packet_bytes;
  const double unit = settings.workload ? 1e3 : bits;
  std::printf(
      "%s %s %s: goodput %.2f send %.2f loss %.3f%% to %.3f%% idle %.2f%% rtt %.4f (window %.4f) queue %.0f "
      "util %.4f",
      argv[1], argv[2], argv[3], r.goodput_bit_per_s / unit, r.send_rate_bit_per_s / unit, 100 * r.loss_ratio,
      100 * r.timeout_ratio, 100 * r.idle_ratio, r.rtt_s, r.window_rtt_s, r.queue_packets, r.utilisation);
  if (!r.measured.bursts.empty()) {
    const std::vector<double> rates = kit::local_loop::file_rates(r.measured.bursts, bits);
    std::printf(" qos");
    for (const double share : {0.95, 0.9, 0.8, 0.5}) {
      std::printf(" %.0f", kit::local_loop::guaranteed_rate(rates, share) / 1e3);
    }
  }
  const Convergence& c = r.convergence;
  std::printf(
      " | %s in %d, fair %d (on %+.3f queue %+.3f, cross loss %.3f%%), environment %+.3f %+.3f | %.0f s "
      "simulated, %.1f M packets, %.2f s cpu\n",
      c.converged ? "converged" : "not converged", c.steps, c.fair, c.on_time_unfairness, c.queue_unfairness,
      r.measured.cross.arrivals == 0 ? 0.0
                                     : 100.0 * static_cast<double>(r.measured.cross.losses) /
                                           static_cast<double>(r.measured.cross.arrivals),
      c.drawn.burst, c.drawn.think_time, seconds(r.measured.time),
      static_cast<double>(r.measured.departures) / 1e6, cpu_s);
  return 0;
}

}  // namespace
}  // namespace fixed_point

int main(int argc, char** argv) {
  try {
    return fixed_point::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
