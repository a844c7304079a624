// The bottleneck's queue as a point asks for it. To add a queue, include its file and say here how it is
// made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "queues/codel_manager.hpp"
#include "queues/fair_queue.hpp"
#include "queues/fq_codel_queue.hpp"
#include "queues/link.hpp"
#include "queues/pie.hpp"
#include "queues/red.hpp"
#include "queues/step.hpp"

namespace packetsim {

// What a point does not say is as the RFC recommends, but the rules, which are Linux's.
inline CodelLimits codel_limits(const Bottleneck& bottleneck) {
  CodelLimits limits;
  limits.target = bottleneck.target_s ? picoseconds(*bottleneck.target_s) : limits.target;
  limits.interval = bottleneck.interval_s ? picoseconds(*bottleneck.interval_s) : limits.interval;
  limits.as_linux = bottleneck.rules_of_linux;
  return limits;
}

inline FqCodelLimits fq_codel_limits(const Bottleneck& bottleneck) {
  FqCodelLimits limits{.codel = codel_limits(bottleneck)};
  limits.counts_all = bottleneck.mtu_rule_counts_all.value_or(limits.counts_all);
  limits.queues = bottleneck.flows.value_or(limits.queues);
  return limits;
}

inline PieLimits pie_limits(const Bottleneck& bottleneck) {
  PieLimits limits;
  limits.target = bottleneck.target_s ? picoseconds(*bottleneck.target_s) : limits.target;
  limits.update = bottleneck.interval_s ? picoseconds(*bottleneck.interval_s) : limits.update;
  limits.as_linux = bottleneck.rules_of_linux;
  return limits;
}

inline RedLimits red_limits(const Bottleneck& bottleneck) {
  const kit::Red red = bottleneck.red();
  return {.min_packets = static_cast<double>(red.min_packets),
          .max_packets = static_cast<double>(red.max_packets),
          .max_probability = red.max_drop,
          .weight = red.weight,
          .as_linux = bottleneck.rules_of_linux};
}

template <class Queue>
Queue make_queue(const Bottleneck& bottleneck, std::size_t flows, std::int32_t packet_bytes, const Link& link,
                 [[maybe_unused]] std::uint64_t seed) {
  const std::int32_t buffer = bottleneck.buffer_packets;
  if constexpr (std::is_same_v<Queue, FairQueue>) {
    return FairQueue(flows, buffer, bottleneck.queue == kit::Queue::kFairShared, link);
  } else if constexpr (std::is_same_v<Queue, FqCodelQueue>) {
    return FqCodelQueue(flows, fq_codel_limits(bottleneck), buffer, packet_bytes, link, seed);
  } else if constexpr (std::is_same_v<Queue, CodelQueue>) {
    return CodelQueue(CodelManager(codel_limits(bottleneck)), buffer, link);
  } else if constexpr (std::is_same_v<Queue, PieQueue>) {
    return PieQueue({pie_limits(bottleneck), seed}, buffer, link);
  } else if constexpr (std::is_same_v<Queue, StepQueue>) {
    const Picoseconds threshold = picoseconds(bottleneck.target_s.value_or(kit::kStepThreshold_s));
    return StepQueue(StepManager(threshold, bottleneck.rules_of_linux), buffer, link);
  } else {
    return RedQueue({red_limits(bottleneck), seed}, buffer, link);
  }
}

}  // namespace packetsim
