#include "kit/local_loop/settings.hpp"

#include <stdexcept>
#include <string>

namespace kit::local_loop {

void require(bool condition, const char* key, const char* allowed) {
  if (!condition) {
    throw std::invalid_argument(std::string(key) + ": must be " + allowed);
  }
}

void check(const Settings& s) {
  require(s.users >= 1 && s.users <= 1'000'000, "users", "1 to 1000000");
  require(s.packet_bytes >= 1, "packet_bytes", "at least 1");
  require(s.path.size() >= 2 && s.path.size() <= kMaxStations, "path", "2 to 8 stations");
  for (const Station& station : s.path) {
    require(station.rate_bit_per_s > 0, "path.rate_bit_per_s", "above 0");
    require(station.delay_s >= 0, "path.delay_s", "0 or above");
  }
  require(s.shared >= 1 && s.shared < s.path.size(), "shared", "a station behind the source");
  require(s.return_delay_s >= 0, "return_delay_s", "0 or above");
  require(s.buffer.packets >= 1, "buffer.packets", "at least 1");
  require(!(s.buffer.individual && s.buffer.drop != Drop::kArriving), "buffer.drop",
          "kArriving with individual buffers");
  require(!(s.buffer.fifo || s.buffer.managed) ||
              (s.buffer.drop == Drop::kArriving && !s.buffer.individual && s.readings.head_of_line_in_buffer),
          "buffer", "the sources' own or apart from heads of line with fair queueing only");
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
}

}  // namespace kit::local_loop
