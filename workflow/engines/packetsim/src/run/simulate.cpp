#include "run/simulate.hpp"

#include <variant>

#include "kit/probes/probe_set.hpp"
#include "run/simulate_dumbbell.hpp"
#include "run/simulate_fair_queue.hpp"
#include "run/simulate_groups.hpp"
#include "run/simulate_local_loop.hpp"
#include "run/simulate_loss_events.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

void check_options(const Point& point) {
  for (const SourceGroup& group : point.groups) {
    if (group.tcp.delayed_ack && group.tcp.delayed_ack->packets > 2) {
      throw Unsupported("sources.tcp.delayed_ack.packets: must be at most 2");
    }
    if (group.tcp.sack || group.tcp.timestamps) {
      throw Unsupported("sources.tcp: must have neither sack nor timestamps, which are a kernel's");
    }
    const bool has_options = group.tcp.sack_recovery || group.tcp.loss_detection || group.tcp.pacing ||
                             group.tcp.ecn.value_or(false);
    if (has_options && !Variants::has_options(group.tcp.variant)) {
      throw Unsupported(
          "sources.tcp: must have neither sack_recovery, loss_detection, pacing nor ecn; the variant has its "
          "own or none");
    }
    if (group.tcp.loss_detection == kit::LossDetection::kRackTlp &&
        (group.tcp.clock_tick_s > 0 || group.tcp.pacing.value_or(false))) {
      throw Unsupported("sources.tcp: must have neither clock_tick_s nor pacing with rack-tlp");
    }
  }
}

void check_dumbbell(const Point& point) {
  for (const SourceGroup& group : point.groups) {
    if (group.tcp.idle_restart_s && group.workload.kind != Workload::Kind::kHttp) {
      throw Unsupported("sources.tcp.idle_restart_s: must be absent unless sources.workload.kind is http");
    }
  }
}

}  // namespace

Measurements simulate(const Point& point, std::uint64_t seed, const Progress& progress) {
  check_options(point);
  if (std::holds_alternative<kit::LocalLoop>(point.topology)) {
    return simulate_local_loop(point, seed, progress);
  }
  check_dumbbell(point);
  const Bottleneck& bottleneck = point.dumbbell().bottleneck;
  if (point.stop.loss_events > 0) {
    if (bottleneck.varies()) {
      throw Unsupported(
          "links.bottleneck: must have neither rate_steps nor token_bucket with stop.loss_events");
    }
    return simulate_loss_events(point, seed, progress);
  }
  const bool one_group = point.groups.size() == 1;
  const bool drop_tail = bottleneck.queue == kit::Queue::kDropTail && !bottleneck.varies();
  if (one_group && drop_tail && !point.probes.any()) {
    return simulate_dumbbell<DropTailQueue>(point, seed, progress, NoObserver());
  }
#ifndef PACKETSIM_FEW_LOOPS
  if (one_group && drop_tail) {
    return simulate_dumbbell<DropTailQueue>(point, seed, progress, ProbeSet(point));
  }
  const bool fair =
      bottleneck.queue == kit::Queue::kFairIndividual || bottleneck.queue == kit::Queue::kFairShared;
  if (one_group && fair && !point.probes.any()) {
    return simulate_fair_queue(point, seed, progress);
  }
#endif
  return simulate_groups(point, seed, progress);
}

}  // namespace packetsim
