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
#include "queues/pie.hpp"
#include "queues/red.hpp"

namespace packetsim {

template <class Queue>
Queue make_queue(const Point& point, Picoseconds service_time, [[maybe_unused]] std::uint64_t seed) {
  const Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const auto flows = static_cast<std::size_t>(point.source_count());
  const std::int32_t buffer = bottleneck.buffer_packets;
  if constexpr (std::is_same_v<Queue, FairQueue>) {
    return FairQueue(flows, buffer, bottleneck.queue == kit::Queue::kFairShared, service_time);
  } else if constexpr (std::is_same_v<Queue, FqCodelQueue>) {
    return FqCodelQueue(flows, {}, buffer, point.packet_bytes, service_time);
  } else if constexpr (std::is_same_v<Queue, CodelQueue>) {
    return CodelQueue(CodelManager({}), buffer, service_time);
  } else {
    return Queue({{}, service_time, seed}, buffer, service_time);
  }
}

}  // namespace packetsim
