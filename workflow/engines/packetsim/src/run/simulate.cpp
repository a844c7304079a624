#include "run/simulate.hpp"

#include <type_traits>
#include <variant>

#include "kit/probes/probe_set.hpp"
#include "queues/make_queue.hpp"
#include "run/loops.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

void check_options(const Point& point) {
  for (const SourceGroup& group : point.groups) {
    const Tcp& tcp = group.tcp;
    if (tcp.delayed_ack && tcp.delayed_ack->packets > 2) {
      throw Unsupported("sources.tcp.delayed_ack.packets: must be at most 2");
    }
    if (tcp.sack || tcp.timestamps) {
      throw Unsupported("sources.tcp: must have neither sack nor timestamps, which are a kernel's");
    }
    const bool has_options = tcp.sack_recovery || tcp.loss_detection ||
                             (tcp.pacing && tcp.variant != Bbr::kName) ||
                             (tcp.ecn.value_or(false) && !External<false>::hears_marks(tcp));
    if (has_options && !Variants::has_options(tcp)) {
      throw Unsupported("sources.tcp: must leave sack_recovery, loss_detection, pacing, ecn to the variant");
    }
    if (tcp.loss_detection == kit::LossDetection::kRackTlp &&
        (tcp.clock_tick_s > 0 || tcp.pacing.value_or(false))) {
      throw Unsupported("sources.tcp: must have neither clock_tick_s nor pacing with rack-tlp");
    }
  }
}

void check_dumbbell(const Point& point) {
  const kit::Probes& probes = point.probes;
  if (point.has_sizes() &&
      (probes.capacity_sharing || probes.loss_recovery || !probes.size_intervals.empty())) {
    throw Unsupported("packet_bytes: must be of all packets with these probes");
  }
  for (const SourceGroup& group : point.groups) {
    if (point.dumbbell().bottleneck.reorders() && group.workload.persistent()) {
      throw Unsupported(
          "links.bottleneck: must keep packets in order where a connection carries several files");
    }
    if (group.tcp.idle_restart_s && group.workload.kind != Workload::Kind::kHttp) {
      throw Unsupported("sources.tcp.idle_restart_s: must be absent unless sources.workload.kind is http");
    }
  }
}

using Loop = Measurements (*)(const Point&, std::uint64_t, const Progress&);

// That of the variant which the point names, if it is one of `Own`; nullptr: it is not.
template <class Queue, class Observer, class... Own>
Loop loop_of(const Tcp& tcp) {
  return Variants::visit<Own...>(tcp, []<class Variant>(std::type_identity<Variant>) -> Loop {
    if constexpr ((std::is_same_v<Variant, Own> || ...)) {
      return simulate_alike<Variant, Queue, Observer>;
    } else {
      return nullptr;
    }
  });
}

// Where points need the speed; nullptr: the point's sources share a loop with any others.
Loop own_loop(const Point& point) {
  const Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const Tcp& tcp = point.groups.front().tcp;
  const bool cross_flow = point.cross_traffic.kind != kit::CrossTrafficSpec::Kind::kNone &&
                          bottleneck.queue != kit::Queue::kDropTail;
  if (point.groups.size() > 1 || point.any_come_and_go() || point.any_arrivals() || cross_flow ||
      point.dumbbell().has_detours() || point.has_sizes()) {
    return nullptr;
  }
  const bool plain = bottleneck.queue == kit::Queue::kDropTail && !bottleneck.varies();
  if (point.probes.any()) {
    return plain ? loop_of<DropTailQueue, ProbeSet, NewReno, Tahoe>(tcp) : nullptr;
  }
  switch (bottleneck.queue) {
    case kit::Queue::kDropTail:
      return plain ? loop_of<DropTailQueue, NoObserver, NewReno, Reno, Tahoe, RenoWindow, Cubic,
                             ByTime<CubicLinux>, Bbr,
#ifndef __wasm__
                             External<false>, External<true>,
#endif
                             Variants::AnySender>(tcp)
                   : nullptr;
    case kit::Queue::kFairIndividual:
    case kit::Queue::kFairShared:
      return loop_of<FairQueue, NoObserver, NewReno>(tcp);
    case kit::Queue::kCodel:
      return loop_of<CodelQueue, NoObserver, ByTime<CubicLinux>>(tcp);
    case kit::Queue::kFqCodel:
      return loop_of<FqCodelQueue, NoObserver, ByTime<CubicLinux>>(tcp);
    default:
      return nullptr;
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
    if (bottleneck.varies() || point.dumbbell().has_detours() || point.has_sizes()) {
      throw Unsupported(
          "links: must have no return, nothing that varies and packets of one size with stop.loss_events");
    }
    return simulate_loss_events(point, seed, progress);
  }
  if (const Loop loop = own_loop(point)) {
    return loop(point, seed, progress);
  }
  return simulate_groups(point, seed, progress);
}

}  // namespace packetsim
