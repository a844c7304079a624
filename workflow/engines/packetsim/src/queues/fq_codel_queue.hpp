// FQ-CoDel (RFC 8290): deficit round robin over flows, new ones first, with CoDel on each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/linked_fifos.hpp"
#include "kit/events/ring_queue.hpp"
#include "kit/random/random.hpp"
#include "queues/codel.hpp"
#include "queues/link.hpp"
#include "queues/queue_monitor.hpp"

namespace packetsim {

struct FqCodelLimits {
  CodelLimits codel;
  std::int32_t quantum_bytes = 1514;  // section 4.1
  // Whether CoDel leaves a flow its last packet only while no other flow has one either, as the Linux kernel
  // (net/sched/sch_fq_codel.c, which hands it the backlog of all queues), or always (RFC 8289, section 4.4).
  bool counts_all = true;
  std::int32_t queues = 1024;  // that flows are spread over by chance (section 5.2); 0: each has its own
};

// Where an arrival and a departure fall together, the departure has to come first.
class FqCodelQueue : public QueueMonitor {
 public:
  using Packet = ManagedPacket;

  FqCodelQueue(std::size_t flows, const FqCodelLimits& limits, std::int32_t buffer_packets,
               std::int32_t packet_bytes, Link link, std::uint64_t seed)
      : limits_(limits),
        buffer_(static_cast<std::size_t>(buffer_packets)),
        packet_bytes_(packet_bytes),
        link_(std::move(link)),
        queue_of_(flows) {
    kit::Random hash(seed, kit::Stream::kHash);
    std::unordered_map<std::uint64_t, std::size_t> found;
    for (std::size_t flow = 0; flow < flows; ++flow) {
      const std::uint64_t bucket =
          limits.queues == 0 ? flow : hash.bits() % static_cast<std::uint64_t>(limits.queues);
      queue_of_[flow] = found.try_emplace(bucket, found.size()).first->second;
    }
    flows_.resize(found.size());
  }

  // Calls drop(packet) for each packet that is dropped: of the longest queue, if the buffer is full
  // (section 4.1.3).
  template <class Drop>
  void arrive(std::size_t flow, const Packet& packet, Drop drop) {
    const Picoseconds now = packet.arrived;
    count_arrival();
    append(queue_of_[flow], packet);
    std::size_t here = present() + 1;
    if (here > buffer_) {
      here -= drop_from_longest(drop);
    }
    move_to(here, now);
    if (next_departure_ == kNever) {
      serve_next(now, drop);
    }
  }

  Picoseconds next_departure() const { return next_departure_; }

  template <class Drop>
  Packet depart(Drop drop) {
    const Packet gone = in_service_;
    const Picoseconds now = next_departure_;
    move_to(present() - 1, now);
    serve_next(now, drop);
    return gone;
  }

  // The next flows' packets are close by already.
  static void prefetch(std::size_t /*flow*/) {}
  static constexpr std::size_t prefetch_next() { return 0; }

  // Calls visit(packet) for every packet here, the one in service first.
  template <class Visit>
  void for_each(Visit visit) const {
    if (next_departure_ != kNever) {
      visit(in_service_);
    }
    for (const Flow& flow : flows_) {
      pool_.for_each(flow.packets, visit);
    }
  }

 private:
  static constexpr std::int32_t kMostDroppedAtOnce = 64;

  struct Flow {  // or several that share a queue
    kit::LinkedFifos<Packet>::Fifo packets;
    std::int32_t waiting = 0;
    std::int32_t credit = 0;  // bytes
    bool listed = false;      // among the new flows or the old ones
    Codel codel;
  };

  void append(std::size_t index, const Packet& packet) {
    Flow& flow = flows_[index];
    pool_.push(flow.packets, packet);
    ++flow.waiting;
    if (!flow.listed) {
      flow.listed = true;
      flow.credit = limits_.quantum_bytes;
      new_flows_.push(index);
    }
  }

  std::optional<Packet> take_first(Flow& flow) {
    if (flow.waiting == 0) {
      return std::nullopt;
    }
    --flow.waiting;
    return pool_.pop(flow.packets);
  }

  // Half of the longest queue, at its head; returns how many. Linux rounds up, and CoDel counts them.
  template <class Drop>
  std::size_t drop_from_longest(Drop drop) {
    Flow& longest = *std::ranges::max_element(flows_, {}, &Flow::waiting);
    const std::int32_t half = (longest.waiting + (limits_.codel.as_linux ? 1 : 0)) / 2;
    const std::int32_t count = std::clamp(half, 1, kMostDroppedAtOnce);
    for (std::int32_t i = 0; i < count; ++i) {
      count_drop();
      drop(*take_first(longest));
    }
    if (limits_.codel.as_linux) {
      longest.codel.count_overflow(count);
    }
    return static_cast<std::size_t>(count);
  }

  // Section 4.2.
  template <class Drop>
  void serve_next(Picoseconds now, Drop drop) {
    std::size_t here = present();
    while (!new_flows_.empty() || !old_flows_.empty()) {
      RingQueue<std::size_t>& list = new_flows_.empty() ? old_flows_ : new_flows_;
      const std::size_t index = list.front();
      Flow& flow = flows_[index];
      if (flow.credit <= 0) {
        flow.credit += limits_.quantum_bytes;
        list.pop();
        old_flows_.push(index);
        continue;
      }
      const std::optional<Packet> next = flow.codel.dequeue(
          limits_.codel, now, [&] { return take_first(flow); },
          // The packet that has been taken counts here, and no other is in service.
          [&] { return limits_.counts_all ? here <= 2 : flow.waiting <= 1; },
          [&](const Packet& packet) {
            --here;
            count_drop();
            drop(packet);
          });
      if (next) {
        flow.credit -= packet_bytes_;
        in_service_ = *next;
        next_departure_ = link_.departure(now, [&] {
          flow.credit -= link_.extra_bytes(next->flow());
          return next->flow();
        });
        move_to(here, now);
        return;
      }
      list.pop();
      if (&list == &new_flows_) {
        old_flows_.push(index);  // so that a flow cannot stay new by emptying its queue again and again
      } else {
        flow.listed = false;
      }
    }
    move_to(here, now);
    next_departure_ = kNever;
  }

  FqCodelLimits limits_;
  std::size_t buffer_;  // packets
  std::int32_t packet_bytes_;
  Link link_;
  kit::LinkedFifos<Packet> pool_;
  std::vector<std::size_t> queue_of_;  // of each flow
  std::vector<Flow> flows_;
  RingQueue<std::size_t> new_flows_;
  RingQueue<std::size_t> old_flows_;
  Packet in_service_{};
  Picoseconds next_departure_ = kNever;
};

}  // namespace packetsim
