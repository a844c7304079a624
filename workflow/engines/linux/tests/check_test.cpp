// What the guest refuses before it is started.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "host_settings.hpp"
#include "simulate.hpp"

namespace linux_engine {
namespace {

kit::SourceGroup bulk(const char* variant) {
  return {.count = 50,
          .workload = {.kind = kit::Workload::Kind::kBulk},
          .tcp = {.variant = variant,
                  .rwnd_packets = 1'000,
                  .initial_window_packets = 10,
                  .min_rto_s = 1,
                  .max_rto_s = 120},
          .access = {.rate_bit_per_s = 1e12}};
}

kit::Point two_groups() {
  return {.study = "test",
          .set = "set",
          .name = "point",
          .topology = kit::Dumbbell{.bottleneck = {{.rate_bit_per_s = 1e7, .delay_s = 0.01}, 0, 50},
                                    .egress = {.rate_bit_per_s = 1e12}},
          .return_delay_s = 0.04,
          .packet_bytes = 1'500,
          .groups = {bulk("linux-bbr"), bulk("newreno")},
          .stop = {.duration_s = 30}};
}

std::string refused(const std::function<void(kit::Point&)>& spoil) {
  kit::Point point = two_groups();
  spoil(point);
  try {
    check(point);
  } catch (const kit::Unsupported& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Check, NamesWhatCannotBe) {
  EXPECT_EQ(refused([](kit::Point&) {}), "accepted");
  // A file for packetsim: another largest timeout, and a path that is longer than the least one.
  EXPECT_EQ(refused([](kit::Point& point) {
              point.groups[0].tcp.max_rto_s = 64;
              point.groups[0].tcp.min_rto_s = 0.2;
              point.groups[0].extra_delay_s = 0.4;
            }),
            "accepted");
  EXPECT_TRUE(refused([](kit::Point& point) {
                point.groups[1].tcp.variant = "tahoe";
              }).starts_with("tcp.variant: is 'tahoe'; one of newreno, linux-2.4,"));
  EXPECT_EQ(refused([](kit::Point& point) { point.groups[0].tcp.max_rto_s = 59; }),
            "tcp.max_rto_s: at least 60 (RFC 6298, rule 2.5); the kernel's is 120");
  EXPECT_EQ(refused([](kit::Point& point) { point.groups[0].tcp.min_rto_s = 200; }),
            "groups.sources.tcp.min_rto_s: at most 100 more than the empty path's round-trip time");
  EXPECT_EQ(refused([](kit::Point& point) { point.groups[0].tcp.clock_tick_s = 0.01; }),
            "tcp.clock_tick_s: none, the kernel keeps its own");
  EXPECT_EQ(refused([](kit::Point& point) {
              for (kit::SourceGroup& group : point.groups) {
                group.tcp.loss_detection = kit::LossDetection::kRackTlp;
              }
            }),
            "tcp.loss_detection: of today's kernel with SACK");
  EXPECT_EQ(refused([](kit::Point& point) { point.groups[0].tcp.idle_restart_s = 1; }),
            "tcp.idle_restart_s: none, the kernel has its own");
  // The kernel's times have 32 bits of microseconds.
  for (const double time_s : {4294, 4295}) {
    const std::string end = time_s == 4294 ? "accepted" : "_s: at most 4294";
    EXPECT_TRUE(refused([&](kit::Point& point) {
                  point.dumbbell().bottleneck.queue = kit::Queue::kCodel;
                  point.dumbbell().bottleneck.target_s = time_s;
                }).ends_with(end));
    EXPECT_TRUE(refused([&](kit::Point& point) {
                  point.dumbbell().bottleneck.queue = kit::Queue::kCodel;
                  point.dumbbell().bottleneck.interval_s = time_s;
                }).ends_with(end));
  }
  EXPECT_EQ(refused([](kit::Point& point) {
              point.dumbbell().bottleneck.queue = kit::Queue::kRed;
              point.dumbbell().bottleneck.max_drop = 1e-10;
            }),
            "links.bottleneck.max_drop: at least 1e-9");
  EXPECT_EQ(
      refused([](kit::Point& point) { point.groups[0].tcp.delayed_ack = kit::DelayedAck{.packets = 3}; }),
      "tcp.delayed_ack.packets: 2, as the kernel has it");
  EXPECT_EQ(
      refused([](kit::Point& point) { point.groups[0].tcp.delayed_ack = kit::DelayedAck{.packets = 2}; }),
      "accepted");
  EXPECT_EQ(refused([](kit::Point& point) { point.groups.assign(33, bulk("linux-cubic")); }),
            "sources: at most 32 groups");
  EXPECT_EQ(refused([](kit::Point& point) { point.groups[1].workload.kind = kit::Workload::Kind::kHttp; }),
            "sources.workload.kind: bulk or on-off");
  EXPECT_EQ(refused([](kit::Point& point) { point.dumbbell().bottleneck.queue = kit::Queue::kFairShared; }),
            "links.bottleneck.queue: one of drop-tail, cake, codel, fq, fq-codel, pie, red, step");
  EXPECT_EQ(refused([](kit::Point& point) { point.dumbbell().bottleneck.buffer_packets = 1; }),
            "links.bottleneck.buffer_packets: from 2, the packet in service included, to 100000");
  EXPECT_EQ(refused([](kit::Point& point) { point.dumbbell().bottleneck.delay_steps = {{.at_s = 1}}; }),
            "links.bottleneck: none of rate_steps, token_bucket, delay_steps");
  EXPECT_EQ(refused([](kit::Point& point) {
              point.dumbbell().bottleneck.reordering = {{0.01, 0.001}};
            }),
            "accepted");
  for (const double rate : {1e5, 1e5 + 0.5}) {
    EXPECT_EQ(refused([&](kit::Point& point) {
                point.dumbbell().way_back = {{rate, 100'000, 0.1}};
              }),
              rate == 1e5 ? "accepted" : "links.return.rate_bit_per_s: a whole number from 100 to 1e10");
  }
  EXPECT_EQ(refused([](kit::Point& point) { point.packet_bytes = 67; }), "packet_bytes: from 68 to 9000");
  EXPECT_EQ(refused([](kit::Point& point) { point.probes.loss_recovery = true; }),
            "probes: none but filter-log and window-trace");
  EXPECT_EQ(refused([](kit::Point& point) { point.probes.filter_log = true; }),
            "probes: filter-log of a transfer");
}

// The kernel bounds what the timeout adds to the round-trip time: 1500 bytes take 1.2 ms at 10 Mbit/s.
TEST(HostSettings, TheShortestTimeoutIsAboveTheEmptyPath) {
  kit::Point point = two_groups();
  EXPECT_NEAR(empty_round_trip_s(point, point.groups[0]), 0.01 + 0.0012 + 0.04, 1e-7);
  EXPECT_NEAR(added_to_round_trip_s(point, point.groups[0]), 1 - 0.0512, 1e-7);
  point.groups[0].tcp.linux_timers = true;
  EXPECT_EQ(added_to_round_trip_s(point, point.groups[0]), 1);
}

std::string value_of(const std::vector<Sysctl>& sysctls, const std::string& name) {
  for (const Sysctl& sysctl : sysctls) {
    if (sysctl.name == name) {
      return sysctl.value;
    }
  }
  return "";
}

// A kernel's own follow its memory, and where the host puts it: with 64 MB they end at some 140 segments.
TEST(HostSettings, FindsLossesByCountOnlyWhereThePointSaysSo) {
  kit::Point point = two_groups();
  kit::Tcp& tcp = point.groups[0].tcp;
  const auto switches_off = [&] {
    int off = 0;
    for (const Sysctl& sysctl : sender_sysctls(point, point.groups[0])) {
      const bool names = sysctl.name == "ipv4/tcp_recovery" || sysctl.name == "ipv4/tcp_early_retrans";
      off += names && sysctl.value == "0" ? 1 : 0;
    }
    return off;
  };
  EXPECT_EQ(switches_off(), 0);
  tcp.loss_detection = kit::LossDetection::kRackTlp;
  EXPECT_EQ(switches_off(), 0);
  tcp.loss_detection = kit::LossDetection::kRfc6675;
  EXPECT_EQ(switches_off(), 2);
}

TEST(HostSettings, BuffersHoldTheReceiversWindow) {
  kit::Point point = two_groups();
  EXPECT_EQ(value_of(sender_sysctls(point, point.groups[0]), "ipv4/tcp_wmem"), "4096 7096000 7096000");
  point.groups[1].tcp.rwnd_packets = 10'000;
  EXPECT_EQ(value_of(sender_sysctls(point, point.groups[0]), "ipv4/tcp_wmem"), "4096 70960000 70960000");
  EXPECT_EQ(value_of(receiver_sysctls(point), "ipv4/tcp_rmem"), "4096 70960000 70960000");
}

TEST(HostSettings, ReceiversOfTodayBeginWithTheDefaultBufferAndTuneIt) {
  kit::Point point = two_groups();  // the second one is of 2002
  point.groups[0].tcp.rwnd_packets = point.groups[1].tcp.rwnd_packets + 1;
  EXPECT_TRUE(tunes_its_buffer(point, point.groups[0]));
  EXPECT_FALSE(tunes_its_buffer(point, point.groups[1]));
  EXPECT_EQ(value_of(receiver_sysctls(point), "ipv4/tcp_rmem").rfind("4096 131072 ", 0), 0);
  std::swap(point.groups[0].tcp.rwnd_packets, point.groups[1].tcp.rwnd_packets);
  EXPECT_FALSE(tunes_its_buffer(point, point.groups[0]));
  // Of two groups with the same window, whichever comes first.
  point.groups[0].tcp.rwnd_packets = point.groups[1].tcp.rwnd_packets;
  const std::string buffers = value_of(receiver_sysctls(point), "ipv4/tcp_rmem");
  EXPECT_EQ(buffers.rfind("4096 131072 ", 0), 0);
  std::swap(point.groups[0], point.groups[1]);
  EXPECT_EQ(value_of(receiver_sysctls(point), "ipv4/tcp_rmem"), buffers);
}

TEST(HostSettings, TheKernelOf2002HasNoneOfWhatCameLater) {
  const kit::Point point = two_groups();
  const auto today = sender_sysctls(point, point.groups[0]), then = sender_sysctls(point, point.groups[1]);
  EXPECT_EQ(value_of(today, "ipv4/tcp_congestion_control"), "bbr");
  EXPECT_EQ(value_of(today, "ipv4/tcp_sack"), "1");
  EXPECT_EQ(value_of(today, "ipv4/tcp_recovery"), "");
  EXPECT_EQ(value_of(then, "ipv4/tcp_congestion_control"), "reno2002");
  EXPECT_EQ(value_of(then, "ipv4/tcp_sack"), "0");
  EXPECT_EQ(value_of(then, "ipv4/tcp_recovery"), "0");
}

}  // namespace
}  // namespace linux_engine
