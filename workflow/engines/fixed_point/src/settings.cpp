#include "settings.hpp"

namespace fixed_point {
Readings readings_that_fit() {
  Readings readings;
  readings.half_up = true;
  readings.head_of_line_in_buffer = false;
  return readings;
}

void check(const Settings& s) {
  using kit::local_loop::require;
  kit::local_loop::check(s);
  require(s.references >= 1 && s.references <= s.users, "references", "at least 1 and at most the users");
  require(!s.buffer.fifo || s.references == s.users, "buffer.fifo", "false, or of exact users only");
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
