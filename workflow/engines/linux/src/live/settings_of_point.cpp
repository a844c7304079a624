#include "live/settings_of_point.hpp"

#include <array>
#include <cmath>

namespace linux_engine {
namespace {

constexpr std::string_view kVariant = "linux-reno";    // any kernel can be set to it
constexpr double kLongestTimeoutS = 120;               // the kernel's, and fixed (TCP_RTO_MAX)
constexpr std::int64_t kInstantRate = 10'000'000'000;  // of the way back: all its time is delay
constexpr double kMostBytes = 4e9;                     // sequence numbers must not come round

void require(bool holds, const std::string& what) {
  if (!holds) {
    throw kit::Unsupported(what);
  }
}

Nanoseconds time_over(const kit::Link& link, std::int32_t bytes) {
  return nanoseconds(link.delay_s + bytes * 8 / link.rate_bit_per_s);
}

// What the emulated link cannot be.
void check_path(const kit::Point& point) {
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const double rate = bottleneck.rate_bit_per_s;
  require(bottleneck.queue == kit::Bottleneck::Queue::kDropTail, "links.bottleneck.queue: one of drop-tail");
  require(bottleneck.buffer_packets >= 2 && bottleneck.buffer_packets <= 100'000,
          "links.bottleneck.buffer_packets: from 2, the packet in service included, to 100000");
  require(rate >= 100 && rate <= 1e10 && rate == std::floor(rate),
          "links.bottleneck.rate_bit_per_s: a whole number from 100 to 1e10");
  require(bottleneck.loss_probability < 1, "links.bottleneck.loss_probability: less than 1");
  require(bottleneck.losses.kind == kit::Losses::Kind::kIndependent,
          "links.bottleneck.loss_process.kind: independent");
  require(
      point.groups.front().access.rate_bit_per_s >= rate && point.dumbbell().egress.rate_bit_per_s >= rate,
      "links: no other link may be slower than the bottleneck");
  require(point.packet_bytes >= 68 && point.packet_bytes <= 9'000, "packet_bytes: from 68 to 9000");
  require(point.cross_traffic.kind == kit::CrossTrafficSpec::Kind::kNone, "cross_traffic: none");
}

void check_source(const kit::Point& point) {
  const kit::SourceGroup& group = point.groups.front();
  require(point.groups.size() == 1 && group.count == 1, "sources: one source");
  require(group.workload.bulk() && point.stop.connections == 1, "stop: transfer_packets, of a bulk source");
  require(group.tcp.variant == kVariant, "tcp.variant: in real time one of " + std::string(kVariant));
  require(group.tcp.max_rto_s == kLongestTimeoutS, "tcp.max_rto_s: 120, as the kernel has it");
  require(group.tcp.clock_tick_s == 0, "tcp.clock_tick_s: none, the kernel keeps its own");
  require(group.tcp.rwnd_packets >= 2 && group.tcp.rwnd_packets <= 100'000,
          "tcp.rwnd_packets: from 2 to 100000");
  require(group.tcp.initial_window_packets <= 1'000, "tcp.initial_window_packets: at most 1000");
  kit::Probes others = point.probes;
  others.filter_log = false;
  require(!others.any(), "probes: none but filter-log");
}

}  // namespace

Settings settings_of(const kit::Point& point, std::uint64_t seed) {
  check_source(point);
  check_path(point);
  const kit::SourceGroup& group = point.groups.front();
  const Nanoseconds others =
      time_over(group.access, point.packet_bytes) + time_over(point.dumbbell().egress, point.packet_bytes);
  const Nanoseconds back = nanoseconds(point.return_delay_s + group.extra_delay_s);
  // The kernel's bound is not of the timeout but of what it adds to the round-trip time.
  const Nanoseconds min_rto = nanoseconds(group.tcp.min_rto_s) - others -
                              time_over(point.dumbbell().bottleneck, point.packet_bytes) - back;
  require(min_rto >= 10'000'000 && min_rto <= 100 * kNanosecondsPerSecond,
          "tcp.min_rto_s: from 0.01 to 100 more than the empty path's round-trip time");
  Settings settings{
      .rate_bit_per_s = std::llround(point.dumbbell().bottleneck.rate_bit_per_s),
      .propagation = nanoseconds(point.dumbbell().bottleneck.delay_s) + others,
      .queue_packets = point.dumbbell().bottleneck.buffer_packets - 1,  // the packet in service apart
      .loss = point.dumbbell().bottleneck.loss_probability,
      .ack_rate_bit_per_s = kInstantRate,
      .ack_propagation = back,
      .mtu_bytes = point.packet_bytes,
      .rwnd_segments = group.tcp.rwnd_packets,
      .initial_window_segments = group.tcp.initial_window_packets,
      .min_rto = min_rto,
      .seed = seed,
  };
  const double bytes = group.workload.file_size.mean_packets * static_cast<double>(settings.mss_bytes());
  require(bytes <= kMostBytes, "stop.transfer_packets: at most 4e9 bytes of data");
  settings.bytes = std::llround(bytes);
  return settings;
}

}  // namespace linux_engine
