// Points for an isolated Compound TCP connection.
#pragma once

#include <variant>

#include "kit/point/point.hpp"

namespace kit {

// The parameters that the authors propose (Blanc, Collange and Avrachenkov 2008, section 1).
inline CompoundParameters authors_parameters() {
  return {.linux_integers = true, .alpha = 0.125, .k = 0.75, .beta = 0.5, .zeta = 1, .gamma_packets = 30};
}

// One bottleneck between links of negligible transmission time; packets of 1500 bytes.
inline Point isolated_flow_point(double rate_bit_per_s, double propagation_s, std::int32_t buffer_packets) {
  Point point;
  point.study = "test";
  point.set = "compound";
  point.name = "point";
  SourceGroup& flow = point.groups.emplace_back();
  flow.access = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.dumbbell().bottleneck = {
      {.rate_bit_per_s = rate_bit_per_s, .delay_s = propagation_s / 2}, 0, buffer_packets};
  point.dumbbell().egress = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.return_delay_s = propagation_s / 2;
  point.packet_bytes = 1500;
  flow.tcp = {.variant = "compound",
              .rwnd_packets = 10000,
              .initial_window_packets = 2,
              .min_rto_s = 1,
              .max_rto_s = 64,
              .own = authors_parameters()};
  flow.count = 1;
  flow.workload = {.kind = Workload::Kind::kBulk, .file_size = {.mean_packets = 2e9}};
  point.stop.loss_events = 5;
  point.stop.warmup_loss_events = 2;
  return point;
}

inline CompoundParameters& compound_of(Point& point) {
  return std::get<CompoundParameters>(point.groups.front().tcp.own);
}

inline const CompoundParameters& compound_of(const Point& point) {
  return std::get<CompoundParameters>(point.groups.front().tcp.own);
}

}  // namespace kit
