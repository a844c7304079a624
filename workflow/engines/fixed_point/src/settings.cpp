#include "settings.hpp"

#include <stdexcept>

#include "path.hpp"

namespace fixed_point {
namespace {

void require(bool condition, const char* key, const char* allowed) {
  if (!condition) {
    throw std::invalid_argument(std::string(key) + ": must be " + allowed);
  }
}

}  // namespace

Readings readings_that_fit() {
  Readings readings;
  readings.half_up = true;
  readings.head_of_line_in_buffer = false;
  return readings;
}

void check(const Settings& s) {
  require(s.users >= 1 && s.users <= 1'000'000, "users", "1 to 1000000");
  require(s.references >= 1 && s.references <= s.users, "references", "at least 1 and at most the users");
  require(s.packet_bytes >= 1, "packet_bytes", "at least 1");
  require(s.path.size() >= 2 && s.path.size() <= Path::kMaxStations, "path", "2 to 8 stations");
  for (const Station& station : s.path) {
    require(station.rate_bit_per_s > 0, "path.rate_bit_per_s", "above 0");
    require(station.delay_s >= 0, "path.delay_s", "0 or above");
  }
  require(s.shared >= 1 && s.shared < s.path.size(), "shared", "a station behind the source");
  require(s.return_delay_s >= 0, "return_delay_s", "0 or above");
  require(s.buffer.packets >= 1, "buffer.packets", "at least 1");
  require(!(s.buffer.individual && s.buffer.drop != Drop::kArriving), "buffer.drop",
          "kArriving with individual buffers");
  require(!s.buffer.fifo || (s.buffer.drop == Drop::kArriving && !s.buffer.individual &&
                             s.readings.head_of_line_in_buffer && s.references == s.users),
          "buffer.fifo", "false, or a shared buffer that drops what arrives, of exact users only");
  if (s.backbone) {
    require(s.backbone->station >= 1 && s.backbone->station < s.shared, "backbone.station",
            "between the source and the shared router");
    require(s.backbone->buffer_packets >= 1, "backbone.buffer_packets", "at least 1");
  }
  if (s.workload) {
    require(s.workload->burst_mean >= 1, "workload.burst_mean", "at least 1 packet");
    require(s.workload->burst_sd >= 0, "workload.burst_sd", "0 or above");
    require(s.workload->think_mean_s > 0, "workload.think_mean_s", "above 0");
    require(s.workload->think_sd_s >= 0, "workload.think_sd_s", "0 or above");
  }
  require(s.start_spread_s >= 0, "start_spread_s", "0 or above");
  require(s.tcp.max_window >= 1 && s.tcp.max_window <= 10'000, "tcp.max_window", "1 to 10000 packets");
  require(s.tcp.tick_s > 0, "tcp.tick_s", "above 0");
  require(s.tcp.min_rto_ticks >= 1, "tcp.min_rto_ticks", "at least 1");
  require(s.tcp.idle_s > 0, "tcp.idle_s", "above 0");
  require(s.iteration.step_packets >= 1, "iteration.step_packets", "at least 1");
  require(s.iteration.min_steps >= 2, "iteration.min_steps", "at least 2");
  require(s.iteration.max_steps >= s.iteration.min_steps, "iteration.max_steps", "at least min_steps");
  require(s.iteration.packets >= 1, "iteration.packets", "at least 1");
}

Settings local_loop(std::int32_t users) {
  Settings settings;
  settings.users = users;
  settings.references = users / 50;
  settings.path = {{10e6, 0.01}, {100e6, 0.01}, {1e9, 0.01}, {100e6, 0.01}, {10e6, 0}};
  settings.workload = Workload{};
  return settings;
}

Settings bulk_sources(std::int32_t buffer_packets, bool individual) {
  Settings settings;
  settings.users = 30;
  settings.references = 1;
  settings.packet_bytes = 1000;
  // 140 ms from end to end; the other links' rates are not printed.
  settings.path = {{1e9, 0.01}, {1e9, 0.01}, {1e9, 0.01}, {1e6, 0.01}, {1e9, 0}};
  settings.return_delay_s = 0.1;
  settings.buffer = {buffer_packets, individual, individual ? Drop::kArriving : Drop::kLongestQueueFirst};
  settings.tcp = {.max_window = 20, .tick_s = 0.1, .min_rto_ticks = 2};
  return settings;
}

}  // namespace fixed_point
