// A fair queue with its queue monitor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/linked_fifos.hpp"
#include "kit/events/ring_queue.hpp"
#include "queues/link.hpp"
#include "queues/longest_queues.hpp"
#include "queues/queue_monitor.hpp"

namespace packetsim {

struct FairQueueRules {
  struct Packet {
    std::uint64_t payload;
    Picoseconds arrived;
  };
  using Lengths = LongestQueues;                   // which of several longest queues is the first
  static constexpr bool kHeadOfLineApart = false;  // the first packet of each flow takes no room
  static constexpr bool kOwnLosesArrival = false;  // not its first, if its queue is the longest
};

// Serves the flows that have packets in turn, a packet each (Baccelli, Hong and Liu 2001, section 5.2); a
// flow that gets its first waiting packet comes last. Buffers count the packet in service.
//
// Individual buffers: a flow whose own buffer is full loses the packet that arrives. A shared buffer: when it
// is full, the longest queue loses its first packet (Suter, Lakshman, Stiliadis and Choudhury 1998). Queues
// are what waits, the arriving packet counted; of several longest ones it is that of the arriving packet, or
// else the one of the lowest flow.
//
// When a packet departs depends on what arrives after it, so departures are asked for one by one. Where an
// arrival and a departure fall together, the departure has to come first, as in a DropTailQueue.
//
// `Rules` are FairQueueRules, or others with the same members.
template <class Rules>
class BasicFairQueue : public QueueMonitor {
 public:
  using Packet = typename Rules::Packet;

  BasicFairQueue(std::size_t flows, std::int32_t buffer_packets, bool shared, Link link)
      : buffer_(buffer_packets), shared_(shared), link_(std::move(link)), queues_(flows), lengths_(flows) {}

  // Calls drop(packet) with the packet that is dropped for this one, if any: itself or another.
  template <class Drop>
  void arrive(std::size_t flow, const Packet& packet, Drop drop) {
    count_arrival();
    if (next_departure_ == kNever) {
      move_to(1, packet.arrived);
      ++backlogged_;
      serve(flow, packet, packet.arrived);
      return;
    }
    if (!shared_ && own_in_buffer(flow) >= buffer_) {
      count_drop();
      drop(packet);
      return;
    }
    if (shared_ && is_full(flow)) {
      count_drop();
      const std::size_t longest = longest_with_one_more_of(flow);
      if ((Rules::kOwnLosesArrival && longest == flow) || queues_[longest].waiting == 0) {
        drop(packet);
        return;
      }
      append(flow, packet);
      drop(take_first(longest));  // another is left behind it, so the flow keeps its turn
      return;
    }
    move_to(present() + 1, packet.arrived);
    append(flow, packet);
  }

  // When the packet in service will have left; kNever: there is none.
  Picoseconds next_departure() const { return next_departure_; }

  // Lets it leave, at that time, and begins with the next. Nothing is dropped then.
  template <class Drop>
  Packet depart(Drop /*drop*/) {
    const Packet gone = in_service_;
    const Picoseconds now = next_departure_;
    move_to(present() - 1, now);
    if (turns_.empty()) {
      next_departure_ = kNever;
      --backlogged_;
      return gone;
    }
    const std::size_t gone_flow = in_service_flow_;
    const std::size_t flow = turns_.front();
    turns_.pop();
    serve(flow, take_first(flow), now);
    if (queues_[flow].waiting > 0) {
      turns_.push(flow);
    }
    if (Rules::kHeadOfLineApart && own_present(gone_flow) == 0) {
      --backlogged_;
    }
    return gone;
  }

  // Calls visit(packet) for every packet here, the one in service first.
  template <class Visit>
  void for_each(Visit visit) const {
    if (next_departure_ != kNever) {
      visit(in_service_);
    }
    for (const Waiting& queue : queues_) {
      pool_.for_each(queue.packets, visit);
    }
  }

  // Fetches what the arrival of a packet of this flow needs into the cache.
  void prefetch(std::size_t flow) const { __builtin_prefetch(&queues_[flow], 1); }

  // A flow whose turn comes soon, or any other; what its departure needs is fetched, too.
  std::size_t prefetch_next() const {
    pool_.prefetch(queues_[turns_.ahead(4)].packets);
    prefetch(turns_.ahead(8));
    return turns_.ahead(8);
  }

 private:
  struct Waiting {
    typename LinkedFifos<Packet>::Fifo packets;  // in the order of arrival, the one in service apart
    std::int32_t waiting = 0;
  };

  // Packets of a flow while one of any flow is in service.
  std::int32_t own_present(std::size_t flow) const {
    return queues_[flow].waiting + (in_service_flow_ == flow ? 1 : 0);
  }

  std::int32_t own_in_buffer(std::size_t flow) const {
    return own_present(flow) - (Rules::kHeadOfLineApart ? 1 : 0);
  }

  // Whether a shared buffer has no room for a packet of the flow.
  bool is_full(std::size_t flow) const {
    if constexpr (Rules::kHeadOfLineApart) {
      return own_present(flow) > 0 && static_cast<std::int32_t>(present()) - backlogged_ >= buffer_;
    } else {
      return present() == static_cast<std::size_t>(buffer_);
    }
  }

  void serve(std::size_t flow, const Packet& packet, Picoseconds now) {
    in_service_flow_ = flow;
    in_service_ = packet;
    next_departure_ = link_.departure(now, [flow] { return flow; });
  }

  std::size_t longest_with_one_more_of(std::size_t flow) const {
    const bool is_longest = static_cast<std::size_t>(queues_[flow].waiting) + 1 >= lengths_.longest();
    return is_longest ? flow : lengths_.first();
  }

  void append(std::size_t flow, const Packet& packet) {
    if (Rules::kHeadOfLineApart && own_present(flow) == 0) {
      ++backlogged_;
    }
    if (pool_.push(queues_[flow].packets, packet)) {
      turns_.push(flow);
    }
    change_length(flow, 1);
  }

  Packet take_first(std::size_t flow) {
    change_length(flow, -1);
    return pool_.pop(queues_[flow].packets);
  }

  void change_length(std::size_t flow, std::int32_t change) {
    std::int32_t& waiting = queues_[flow].waiting;
    const std::int32_t before = std::exchange(waiting, waiting + change);
    if (shared_) {
      lengths_.move(flow, static_cast<std::size_t>(before), static_cast<std::size_t>(waiting));
    }
  }

  std::int32_t buffer_;  // packets, of each flow or of all
  bool shared_;
  Link link_;

  LinkedFifos<Packet> pool_;
  std::vector<Waiting> queues_;      // of each flow
  typename Rules::Lengths lengths_;  // of a shared buffer
  RingQueue<std::size_t> turns_;     // of the flows that have packets waiting

  std::int32_t backlogged_ = 0;  // flows that have packets here; counted if their first ones are apart
  Packet in_service_{};
  std::size_t in_service_flow_ = 0;
  Picoseconds next_departure_ = kNever;
};

using FairQueue = BasicFairQueue<FairQueueRules>;

}  // namespace packetsim
