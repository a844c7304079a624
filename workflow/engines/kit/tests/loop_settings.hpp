// Local loops that tests start from, as Baccelli, Hong and Liu 2001 have them.
#pragma once

#include <cstdint>

#include "kit/local_loop/settings.hpp"

namespace kit::local_loop {

// Section 7.1, without load in the backbone.
inline Settings web_users(std::int32_t users) {
  Settings settings;
  settings.users = users;
  settings.path = {{10e6, 0.01}, {100e6, 0.01}, {1e9, 0.01}, {100e6, 0.01}, {10e6, 0}};
  settings.workload.emplace();
  return settings;
}

// A tenth of it: 10 Mbit/s and a threshold of 500 users.
inline Settings small_loop(std::int32_t users) {
  Settings settings = web_users(users);
  settings.path[settings.shared].rate_bit_per_s = 10e6;
  settings.buffer.packets = 1000;
  return settings;
}

// Section 6: 30 sources without end over 125 packets/s. 140 ms from end to end; the other links' rates are
// not printed.
inline Settings ftp_sources(std::int32_t buffer_packets) {
  Settings settings;
  settings.users = 30;
  settings.packet_bytes = 1000;
  settings.path = {{1e9, 0.01}, {1e9, 0.01}, {1e9, 0.01}, {1e6, 0.01}, {1e9, 0}};
  settings.return_delay_s = 0.1;
  settings.buffer = {.packets = buffer_packets, .individual = true, .drop = Drop::kArriving};
  settings.tcp = {.max_window = 20, .tick_s = 0.1, .min_rto_ticks = 2};
  return settings;
}

}  // namespace kit::local_loop
