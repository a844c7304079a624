// What the guest cannot run.

#include <cmath>
#include <variant>

#include "host_settings.hpp"
#include "queue_discipline.hpp"
#include "simulate.hpp"
#include "uml/dumbbell.h"
#include "variants.hpp"

namespace linux_engine {
namespace {

constexpr std::int64_t kMostBytes = 4'000'000'000;  // sequence numbers must not come round in one transfer
constexpr double kLongestTimeS = 4294;              // of a queue discipline: 32 bits of microseconds
constexpr std::int32_t kMostSources = 65'000;       // of a group: each has an address of its own

void require(bool holds, const std::string& what) {
  if (!holds) {
    throw kit::Unsupported(what);
  }
}

// The kernel keeps the mean queue in 31 bits, the weight's among them.
void check_red(const kit::Point& point) {
  const double weight = point.dumbbell().bottleneck.red().weight;
  require(weight >= 1e-6 && weight <= 0.5, "links.bottleneck.weight: from 1e-6 to 0.5");
  const RedSettings red = red_settings(point);
  require(red.max_drop >= 1e-9, "links.bottleneck.max_drop: at least 1e-9");
  require(std::abs(std::ldexp(weight, red.weight_log) - 1) <= 0.05,
          "links.bottleneck.weight: within 5 % of a power of two");
  require(std::ldexp(1.0 * red.packet_bytes * red.max_packets, red.weight_log) < 0x1p31,
          "links.bottleneck.max_threshold_packets: with this weight less than " +
              std::to_string(static_cast<int>(std::ldexp(0x1p31 / red.packet_bytes, -red.weight_log))));
}

// What a queue discipline has no use for.
void check_management(const kit::Point& point) {
  using kit::Queue;
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const Queue queue = bottleneck.queue;
  const bool delay = queue == Queue::kCodel || queue == Queue::kFqCodel || queue == Queue::kPie;
  const bool red = queue == Queue::kRed;
  require(!bottleneck.target_s || delay || queue == Queue::kStep,
          "links.bottleneck.target_s: of codel, fq-codel, pie and step");
  require(!bottleneck.interval_s || delay || queue == Queue::kCake,
          "links.bottleneck.interval_s: of cake, codel, fq-codel and pie");
  require(bottleneck.target_s.value_or(0) <= kLongestTimeS, "links.bottleneck.target_s: at most 4294");
  require(bottleneck.interval_s.value_or(0) <= kLongestTimeS, "links.bottleneck.interval_s: at most 4294");
  require(!bottleneck.ecn || delay || red, "links.bottleneck.ecn: of codel, fq-codel, pie and red");
  require(!bottleneck.jitter || bottleneck.jitter->delays_s.empty(),
          "links.bottleneck.jitter.distribution: uniform or normal");
  require(!bottleneck.varies() && bottleneck.delay_steps.empty(),
          "links.bottleneck: none of rate_steps, token_bucket, delay_steps");
  require(!bottleneck.flows || queue == Queue::kFqCodel, "links.bottleneck.flows: of fq-codel");
  require(bottleneck.flows.value_or(1) > 0, "links.bottleneck.flows: at least 1");
  require(bottleneck.mtu_rule_counts_all.value_or(true),
          "links.bottleneck.mtu_rule: only all, as the kernel");
  require(bottleneck.rules_of_linux, "links.bottleneck.rules: only linux");
  require(!bottleneck.flow_limit_packets || queue == Queue::kFq,
          "links.bottleneck.flow_limit_packets: of fq");
  require(red || !(bottleneck.min_threshold_packets || bottleneck.max_drop || bottleneck.weight),
          "links.bottleneck: min_threshold_packets, max_threshold_packets, max_drop and weight "
          "are of red");
  if (red) {
    check_red(point);
  }
}

void check_path(const kit::Point& point) {
  require(std::holds_alternative<kit::Dumbbell>(point.topology), "kind: dumbbell");
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const double rate = bottleneck.rate_bit_per_s;
  require(bottleneck.queue != kit::Queue::kFairIndividual && bottleneck.queue != kit::Queue::kFairShared,
          "links.bottleneck.queue: one of drop-tail, cake, codel, fq, fq-codel, pie, red, step");
  check_management(point);
  require(bottleneck.ties == kit::Bottleneck::Ties::kDepartureFirst,
          "links.bottleneck.ties: departure-first");
  require(bottleneck.buffer_packets >= 2 && bottleneck.buffer_packets <= 100'000,
          "links.bottleneck.buffer_packets: from 2, the packet in service included, to 100000");
  require(rate >= 100 && rate <= 1e10 && rate == std::floor(rate),
          "links.bottleneck.rate_bit_per_s: a whole number from 100 to 1e10");
  require(bottleneck.loss_probability < 1, "links.bottleneck.loss_probability: less than 1");
  require(bottleneck.losses.kind == kit::Losses::Kind::kIndependent,
          "links.bottleneck.loss_process.kind: independent");
  require(point.packet_bytes >= 68 && point.packet_bytes <= 9'000, "packet_bytes: from 68 to 9000");
  require(point.cross_traffic.kind == kit::CrossTrafficSpec::Kind::kNone, "cross_traffic: none");
}

void check_way_back(const kit::Point& point) {
  require(point.dumbbell().hops.empty(), "links.hops: none");
  if (const auto& link = point.dumbbell().way_back) {
    const double rate = link->rate_bit_per_s;
    require(rate >= 100 && rate <= 1e10 && rate == std::floor(rate),
            "links.return.rate_bit_per_s: a whole number from 100 to 1e10");
    require(link->buffer_packets <= 100'000, "links.return.buffer_packets: at most 100000");
    require(link->loss_probability < 1, "links.return.loss_probability: less than 1");
  }
}

void check_sources(const kit::Point& point) {
  require(!point.any_come_and_go(), "sources.workload: neither start_s, stop_s nor transfer_packets");
  require(point.groups.size() <= LINK_GROUPS, "sources: at most " + std::to_string(LINK_GROUPS) + " groups");
  for (const kit::SourceGroup& group : point.groups) {
    const kit::Tcp& tcp = group.tcp;
    variant_of(tcp);
    require(group.count <= kMostSources, "sources.count: at most " + std::to_string(kMostSources));
    require(!group.returns, "sources.direction: none");
    require(group.packet_bytes == 0, "sources.packet_bytes: none");
    require(group.workload.bulk() || group.workload.kind == kit::Workload::Kind::kOnOff,
            "sources.workload.kind: bulk or on-off");
    require(tcp.max_rto_s >= 60, "tcp.max_rto_s: at least 60 (RFC 6298, rule 2.5); the kernel's is 120");
    require(!tcp.idle_restart_s, "tcp.idle_restart_s: none, the kernel has its own");
    if (const auto* own = std::get_if<kit::ExternalParameters>(&tcp.own)) {
      require(own->library.ends_with(".c"),
              "tcp.library: a kernel's congestion control, tcp_foo.c; others run in packetsim");
      require(kit::ExternalParameters::allowed,
              "tcp.library: is code, which runs only where the command line says --allow-library");
      require(own->parameters.empty(), "tcp.parameters: none; they are for tcpatlas_cc.h");
    }
    if (const auto* cubic = std::get_if<kit::CubicParameters>(&tcp.own)) {
      require(cubic->c == kit::CubicParameters().c && cubic->fast_convergence,
              "tcp.c and tcp.fast_convergence: as RFC 9438 and the kernel have them");
    }
    require(tcp.sack_recovery.value_or(kit::SackRecovery::kPrr) == kit::SackRecovery::kPrr && !tcp.pacing,
            "tcp.sack_recovery: prr, the kernel's; tcp.pacing: none, the kernel has its own");
    require(!tcp.loss_detection || (has_sack(tcp) && variant_of(tcp).year == Variant::Year::kToday),
            "tcp.loss_detection: of today's kernel with SACK");
    require(!tcp.delayed_ack || tcp.delayed_ack->packets == 2,
            "tcp.delayed_ack.packets: 2, as the kernel has it");
    require(tcp.clock_tick_s == 0, "tcp.clock_tick_s: none, the kernel keeps its own");
    require(tcp.rwnd_packets >= 2 && tcp.rwnd_packets <= 100'000, "tcp.rwnd_packets: from 2 to 100000");
    require(tcp.initial_window_packets <= 1'000, "tcp.initial_window_packets: at most 1000");
    const std::string of = point.groups.size() > 1 ? "groups." + group.name + "." : "";
    require(added_to_round_trip_s(point, group) <= 100,
            of + "tcp.min_rto_s: at most 100 more than the empty path's round-trip time");
  }
}

void check_stop(const kit::Point& point) {
  require(point.stop.transfer_packets * point.packet_bytes <= kMostBytes,
          "stop.transfer_packets: at most 4e9 bytes of data");
  require(point.stop.loss_events == 0 && point.stop.packets == 0,
          "stop: one of connections, duration_s, transfer_packets");
  kit::Probes others = point.probes;
  others.filter_log = others.window_trace = false;
  require(!others.any(), "probes: none but filter-log and window-trace");
  require(!point.probes.filter_log || point.stop.transfer_packets > 0, "probes: filter-log of a transfer");
}

}  // namespace

void check(const kit::Point& point) {
  check_path(point);
  check_way_back(point);
  check_sources(point);
  check_stop(point);
}

}  // namespace linux_engine
