// A lone source on a path with detours (kit::Dumbbell::has_detours), of several variants.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "kit.hpp"
#include "kit/main/measurements.hpp"
#include "kit/tests/points.hpp"

namespace packetsim {

inline constexpr double kRoundTrip_s = 0.1;

struct Variant {
  std::string name;
  std::optional<kit::LossDetection> loss_detection = std::nullopt;
  bool delays_acks = false;
};

// One source on a path that never queues: a window a round trip, each packet 1 ms behind the other.
inline Point lone_point(const Variant& variant, std::int32_t window) {
  Point point = bulk_point();
  point.packet_bytes = 1000;
  point.dumbbell().bottleneck = {{.rate_bit_per_s = 8e6, .delay_s = 0.05}, 0, 1000};
  point.dumbbell().egress = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.return_delay_s = kRoundTrip_s - 0.05 - 0.001 - 2 * 8e-9;  // a packet takes 1 ms, and 8 ns elsewhere
  point.groups[0].access = {.rate_bit_per_s = 1e12, .delay_s = 0};
  point.groups[0].tcp = {.variant = variant.name,
                         .rwnd_packets = window,
                         .initial_window_packets = window,
                         .min_rto_s = 1,
                         .max_rto_s = 64,
                         .loss_detection = variant.loss_detection};
  if (variant.delays_acks) {
    point.groups[0].tcp.delayed_ack = kit::DelayedAck{.packets = 2, .timeout_s = 0.04, .quick_acks = 10};
  }
  point.stop = {.duration_s = 100};
  return point;
}

inline void expect_conservation(const Counters& counters) {
  EXPECT_EQ(counters.packets_sent, counters.packets_delivered + counters.packets_dropped +
                                       counters.packets_lost + counters.packets_in_flight);
}

}  // namespace packetsim
