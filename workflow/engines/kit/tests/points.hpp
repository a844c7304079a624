// Points that the tests start from.
#pragma once

#include "kit/point/point.hpp"

namespace kit {

// Table 6 of Zaragoza 2014: 100 Mbit/s in, 10 Mbit/s bottleneck, 2 Mbit/s out, empty-path RTT 50 ms, 1500
// bytes.
inline Point table_6_point(std::int32_t sources, std::int32_t buffer_packets) {
  return {
      .study = "test",
      .set = "table-06",
      .name = "point",
      .topology = Dumbbell{.bottleneck = {{.rate_bit_per_s = 10e6, .delay_s = 0.02134}, 0, buffer_packets},
                           .egress = {.rate_bit_per_s = 2e6, .delay_s = 0}},
      .return_delay_s = 0.02134,
      .packet_bytes = 1500,
      .groups = {{.count = sources,
                  .workload = {.file_size = {.distribution = FileSize::Distribution::kExponential,
                                             .mean_packets = 12,
                                             .minimum_packets = 3},
                               .off_time = {.distribution = OffTime::Distribution::kExponential,
                                            .mean_s = 1}},
                  .tcp = {.rwnd_packets = 44, .initial_window_packets = 2, .min_rto_s = 1, .max_rto_s = 64},
                  .access = {.rate_bit_per_s = 100e6, .delay_s = 0}}},
      .stop = {.connections = 1000}};
}

// A bulk Tahoe transfer of 576-byte packets: 300 packets/s in, 100 packets/s bottleneck, propagation 200 ms.
// Its window of 10 packets is half of what the path holds.
inline Point bulk_point() {
  return {
      .study = "test",
      .set = "bulk",
      .name = "point",
      .topology = Dumbbell{.bottleneck = {{.rate_bit_per_s = 100 * 4608, .delay_s = 0.05}, 0, 10},
                           .egress = {.rate_bit_per_s = 1e12, .delay_s = 0}},
      .return_delay_s = 0.1,
      .packet_bytes = 576,
      .groups = {{.count = 1,
                  .workload = {.kind = Workload::Kind::kBulk, .file_size = {.mean_packets = INT32_MAX - 1}},
                  .tcp = {.variant = "tahoe",
                          .rwnd_packets = 10,
                          .initial_window_packets = 1,
                          .min_rto_s = 1,
                          .max_rto_s = 64,
                          .clock_tick_s = 0.5},
                  .access = {.rate_bit_per_s = 300 * 4608, .delay_s = 0.05}}},
      .stop = {.duration_s = 100}};
}

// A single source that sends files of one size.
inline Point isolated_point(Point point, std::int32_t file_packets) {
  point.groups[0].count = 1;
  point.groups[0].workload.file_size = {.distribution = FileSize::Distribution::kFixed,
                                        .mean_packets = static_cast<double>(file_packets)};
  point.groups[0].workload.off_time = {.mean_s = 1};
  return point;
}

}  // namespace kit
