#include "simulate.hpp"

#include <cmath>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "kit/local_loop/loop_users.hpp"
#include "kit/local_loop/settings_of.hpp"
#include "kit/local_loop/write_run.hpp"
#include "kit/main/units.hpp"
#include "ns2.hpp"

namespace ns2 {
namespace {

using kit::local_loop::add_metric;
using kit::local_loop::Settings;
using kit::local_loop::Station;

std::string text(double number) {
  std::ostringstream out;
  out << std::setprecision(15) << number;
  return out.str();
}

// A source's stations before the shared one as one link: packets wait at the first alone if no later one is
// slower.
Station one_link(const Settings& settings) {
  Station link = settings.path.front();
  for (std::size_t index = 1; index < settings.shared; ++index) {
    const Station& station = settings.path[index];
    kit::local_loop::require(station.rate_bit_per_s >= settings.path.front().rate_bit_per_s, "stations",
                             "no slower than the source's for ns2, before the shared one");
    link.delay_s += station.delay_s + 8.0 * settings.packet_bytes / station.rate_bit_per_s;
  }
  return link;
}

// From the transmission of a packet at its source to its acknowledgement, without waiting.
double unloaded_round_trip_s(const Settings& settings) {
  double sum = settings.return_delay_s;
  for (const Station& station : settings.path) {
    sum += station.delay_s + 8.0 * settings.packet_bytes / station.rate_bit_per_s;
  }
  return sum;
}

std::string starts(const Settings& settings, std::uint64_t seed) {
  kit::LoopUsers users(settings, 0, seed);
  std::ostringstream times;
  for (std::int32_t user = 0; user < settings.users; ++user) {
    times << text(kit::seconds(users.start())) << ' ';
  }
  return times.str();
}

std::map<std::string, std::string> arguments(const kit::Point& point, const Settings& settings,
                                             std::uint64_t seed) {
  const kit::Tcp& tcp = point.groups.front().tcp;
  const Station own = one_link(settings);
  const Station& shared = settings.path[settings.shared];
  return {{"queue", settings.buffer.fifo ? "drop-tail" : "fair-individual"},
          {"buffer_packets", std::to_string(settings.buffer.packets)},
          {"starts_s", starts(settings, seed)},
          {"rwnd_packets", std::to_string(tcp.rwnd_packets)},
          {"initial_window_packets", std::to_string(tcp.initial_window_packets)},
          {"min_rto_s", text(tcp.min_rto_s)},
          {"max_rto_s", text(tcp.max_rto_s)},
          {"clock_tick_s", text(tcp.clock_tick_s)},
          {"packet_bytes", std::to_string(settings.packet_bytes)},
          {"own_bit_per_s", text(own.rate_bit_per_s)},
          {"own_delay_s", text(own.delay_s)},
          {"shared_bit_per_s", text(shared.rate_bit_per_s)},
          {"shared_delay_s", text(shared.delay_s)},
          {"destination_bit_per_s", text(settings.path.back().rate_bit_per_s)},
          {"return_delay_s", text(settings.return_delay_s)},
          {"packets", std::to_string(point.stop.packets)},
          {"warmup_packets", std::to_string(point.stop.warmup_packets)}};
}

std::int64_t whole(double number) { return std::llround(number); }

}  // namespace

kit::Json simulate(const kit::Point& point, std::uint64_t seed, const kit::Engine& engine) {
  const Settings settings = kit::local_loop::network_of(point);
  kit::local_loop::require(settings.shared + 2 == settings.path.size(), "stations",
                           "one behind the shared one for ns2");
  const auto measured = run_script(arguments(point, settings, seed));

  const double time_s = measured.at("measured_s");
  const double sent = measured.at("sent");
  kit::Json metrics = kit::Json::object();
  add_metric(metrics, "goodput_per_source", "packets/s",
             measured.at("acknowledged") / time_s / settings.users);
  add_metric(metrics, "send_rate_per_source", "packets/s", sent / time_s / settings.users);
  add_metric(metrics, "loss_ratio", "1", measured.at("dropped") / sent);
  add_metric(metrics, "timeouts_per_packet", "1", measured.at("timeouts") / sent);
  add_metric(metrics, "rtt_path_mean", "s", unloaded_round_trip_s(settings) + measured.at("mean_wait_s"));
  add_metric(metrics, "rtt_estimate_mean", "s", measured.at("mean_estimate_s"));

  const std::int64_t all_sent = whole(measured.at("all_sent"));
  const std::int64_t dropped = whole(measured.at("all_dropped"));
  const std::int64_t delivered = whole(measured.at("all_carried"));
  kit::Json run = kit::run_head(point, seed, kit::picoseconds(measured.at("end_s")), engine);
  run["counters"] = {{"connections_completed", 0},
                     {"packets_sent", all_sent},
                     {"packets_delivered", delivered},
                     {"packets_dropped", dropped},
                     {"packets_lost", 0},
                     {"packets_in_flight", all_sent - delivered - dropped},
                     {"events", 0}};
  run["metrics"] = metrics;
  run["distributions"] = kit::Json::object();
  return run;
}

}  // namespace ns2
