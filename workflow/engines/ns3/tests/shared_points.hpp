// SPDX-License-Identifier: GPL-2.0-only
// Points at which both engines are compared: their rates are such that every transmission takes a whole
// number of picoseconds.
#pragma once

#include <cstdint>

#include "kit/point/point.hpp"
#include "kit/tests/points.hpp"

namespace tcp_atlas {

// The paper's setting with egress links of 1 Gbit/s, which never queue: acknowledgements come back as far
// apart as the bottleneck sends, so no two sources ever act at the same instant. Where they do (with table
// 6's slow egress links), whose packet is first is for each engine to choose, and the choice would make them
// part. For the same reason a packet takes 0.125 ms on the access link, which shares few multiples with the
// bottleneck's 1.2 ms.
inline kit::Point shared_network(std::int32_t sources, std::int32_t buffer) {
  kit::Point point = kit::table_6_point(sources, buffer);
  point.groups[0].access.rate_bit_per_s = 96e6;
  point.dumbbell().egress.rate_bit_per_s = 1e9;
  point.stop.connections = 1500;
  return point;
}

// A bulk transfer and 20 packets/s beside it. A packet takes 1/320 s in, 1/160 s at the bottleneck and 4608
// ps out: whole picoseconds.
inline kit::Point bulk_beside(kit::CrossTrafficSpec::Kind kind) {
  kit::Point point = kit::bulk_point();
  point.groups[0].access.rate_bit_per_s = 320 * 4608;
  point.dumbbell().bottleneck.rate_bit_per_s = 160 * 4608;
  point.groups[0].tcp.rwnd_packets = 1000;
  point.cross_traffic = {.kind = kind, .rate_bit_per_s = 20 * 4608};
  point.stop.duration_s = 200;
  return point;
}

// Every file is of 25 packets, and every pause as long.
inline kit::Point with_files_of_one_size(kit::Point point) {
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kFixed,
                                        .mean_packets = 25};
  point.groups[0].workload.off_time = {.mean_s = 0.7131};
  return point;
}

// Everything but queueing takes 36 times the bottleneck's 1.2 ms, so that arrivals fall together with
// departures all the time.
inline kit::Point meeting(kit::Bottleneck::Ties ties) {
  kit::Point point = shared_network(30, 25);
  point.groups[0].workload.file_size = {.distribution = kit::FileSize::Distribution::kFixed,
                                        .mean_packets = 100};
  point.groups[0].access.delay_s = 0.003;
  point.return_delay_s =
      36 * 0.0012 - 0.0012 - 0.000125 - 0.000012 - 0.003 - point.dumbbell().bottleneck.delay_s;
  point.stop.connections = 300;
  point.dumbbell().bottleneck.ties = ties;
  return point;
}

}  // namespace tcp_atlas
