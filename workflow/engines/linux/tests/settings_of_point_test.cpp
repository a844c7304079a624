// What a point asks of the emulated link and of the kernel.

#include "live/settings_of_point.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace linux_engine {
namespace {

// 576 bytes take 9.216 ms at 500 kbit/s and 0.576 ms at 8 Mbit/s.
kit::Point lossy_link() {
  return {.study = "test",
          .set = "set",
          .name = "point",
          .topology = kit::Dumbbell{.bottleneck = {{.rate_bit_per_s = 500'000, .delay_s = 0.2}, 0.025, 4},
                                    .egress = {.rate_bit_per_s = 8e6, .delay_s = 0.002}},
          .return_delay_s = 0.201,
          .packet_bytes = 576,
          .groups = {{.count = 1,
                      .workload = {.kind = kit::Workload::Kind::kBulk, .file_size = {.mean_packets = 5'000}},
                      .tcp = {.variant = "linux-reno",
                              .rwnd_packets = 64,
                              .initial_window_packets = 2,
                              .min_rto_s = 0.8,
                              .max_rto_s = 120},
                      .access = {.rate_bit_per_s = 8e6, .delay_s = 0.001},
                      .extra_delay_s = 0.004}},
          .stop = {.connections = 1}};
}

std::string refusal(const std::function<void(kit::Point&)>& spoil) {
  kit::Point point = lossy_link();
  spoil(point);
  try {
    settings_of(point, 1);
  } catch (const kit::Unsupported& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SettingsOfPoint, OneLinkStandsForThePath) {
  const Settings settings = settings_of(lossy_link(), 7);
  const ChannelSettings there = settings.channel(true), back = settings.channel(false);
  EXPECT_EQ(there.rate_bit_per_s, 500'000);
  EXPECT_EQ(there.propagation, 200'000'000 + 1'000'000 + 2'000'000 + 2 * 576'000);
  EXPECT_EQ(there.queue_limit_packets, 3U);  // a buffer of four, less the packet in service
  EXPECT_EQ(there.loss_probability, 0.025);
  EXPECT_EQ(back.propagation, 205'000'000);
  EXPECT_EQ(back.loss_probability, 0);
  EXPECT_LT(52 * 8 * kNanosecondsPerSecond / back.rate_bit_per_s, 100);  // nanoseconds an acknowledgement
  EXPECT_EQ(settings.min_rto, 800'000'000 - there.propagation - 9'216'000 - back.propagation);
  EXPECT_EQ(settings.seed, 7);
}

TEST(SettingsOfPoint, PacketsAreFullSegments) {
  const Settings settings = settings_of(lossy_link(), 1);
  EXPECT_EQ(settings.mtu_bytes, 576);
  EXPECT_EQ(settings.bytes, 5'000 * 524);
  EXPECT_EQ(settings.rwnd_segments, 64);
  EXPECT_EQ(settings.initial_window_segments, 2);
}

TEST(SettingsOfPoint, WhatCannotBeEmulatedIsNamed) {
  EXPECT_EQ(refusal([](kit::Point&) {}), "accepted");
  EXPECT_EQ(refusal([](kit::Point& point) { point.groups[0].tcp.variant = "tahoe"; }),
            "tcp.variant: in real time one of linux-reno");
  EXPECT_EQ(refusal([](kit::Point& point) { point.groups[0].tcp.max_rto_s = 64; }),
            "tcp.max_rto_s: 120, as the kernel has it");
  EXPECT_EQ(refusal([](kit::Point& point) { point.groups[0].tcp.min_rto_s = 0.4; }),
            "tcp.min_rto_s: from 0.01 to 100 more than the empty path's round-trip time");
  EXPECT_EQ(refusal([](kit::Point& point) { point.groups[0].tcp.clock_tick_s = 0.01; }),
            "tcp.clock_tick_s: none, the kernel keeps its own");
  EXPECT_EQ(refusal([](kit::Point& point) { point.groups[0].count = 2; }), "sources: one source");
  EXPECT_EQ(refusal([](kit::Point& point) { point.stop.connections = 0; }),
            "stop: transfer_packets, of a bulk source");
  EXPECT_EQ(refusal([](kit::Point& point) {
              point.dumbbell().bottleneck.queue = kit::Bottleneck::Queue::kFairShared;
            }),
            "links.bottleneck.queue: one of drop-tail");
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().bottleneck.buffer_packets = 1; }),
            "links.bottleneck.buffer_packets: from 2, the packet in service included, to 100000");
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().egress.rate_bit_per_s = 400'000; }),
            "links: no other link may be slower than the bottleneck");
  EXPECT_EQ(refusal([](kit::Point& point) { point.packet_bytes = 67; }), "packet_bytes: from 68 to 9000");
  EXPECT_EQ(refusal([](kit::Point& point) { point.probes.window_trace = true; }),
            "probes: none but filter-log");
}

}  // namespace
}  // namespace linux_engine
