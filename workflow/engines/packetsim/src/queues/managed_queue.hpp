// A FIFO in front of a link whose manager may drop or mark packets early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/ring_queue.hpp"
#include "queues/link.hpp"
#include "queues/managed_packet.hpp"
#include "queues/queue_monitor.hpp"

namespace packetsim {

// The buffer counts the packet in service. When a packet departs depends on what is dropped before it, so
// departures are asked for one by one. Where an arrival and a departure fall together, the departure has to
// come first.
//
// `Manager` has the members
//   void observe(present, link, now)                  `present` packets have been here until now; before any
//   change bool admit(ManagedPacket&, present, link, now)    whether the arriving packet may join them; it
//   may mark it std::optional<ManagedPacket> dequeue(now, pop, at_most_one_left, drop)    as Codel has it
// (codel_manager.hpp, pie.hpp, red.hpp).
template <class Manager>
class ManagedQueue : public QueueMonitor {
 public:
  using Packet = ManagedPacket;

  ManagedQueue(Manager manager, std::int32_t buffer_packets, Link link)
      : manager_(std::move(manager)),
        buffer_(static_cast<std::size_t>(buffer_packets)),
        link_(std::move(link)) {}

  // Calls drop(packet) if it is dropped.
  template <class Drop>
  void arrive(std::size_t /*flow*/, Packet packet, Drop drop) {
    const Picoseconds now = packet.arrived;
    count_arrival();
    manager_.observe(present(), link_, now);
    if (!manager_.admit(packet, present(), link_, now) || present() == buffer_) {
      count_drop();
      drop(packet);
      return;
    }
    move_to(present() + 1, now);
    if (next_departure_ == kNever) {
      serve(packet, now);
    } else {
      waiting_.push(packet);
    }
  }

  // When the packet in service will have left; kNever: there is none.
  Picoseconds next_departure() const { return next_departure_; }

  // Lets it leave, at that time, and begins with the next. Calls drop(packet) for each packet that is
  // dropped.
  template <class Drop>
  Packet depart(Drop drop) {
    const Packet gone = in_service_;
    const Picoseconds now = next_departure_;
    manager_.observe(present(), link_, now);
    std::size_t left = present() - 1;
    const std::optional<Packet> next = manager_.dequeue(
        now,
        [this]() -> std::optional<Packet> {
          if (waiting_.empty()) {
            return std::nullopt;
          }
          const Packet first = waiting_.front();
          waiting_.pop();
          return first;
        },
        [this] { return waiting_.size() <= 1; },
        [&](const Packet& packet) {
          --left;
          count_drop();
          drop(packet);
        });
    move_to(left, now);
    if (next) {
      serve(*next, now);
    } else {
      next_departure_ = kNever;
    }
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
    waiting_.for_each(visit);
  }

  const Manager& manager() const { return manager_; }

 private:
  void serve(const Packet& packet, Picoseconds now) {
    in_service_ = packet;
    next_departure_ = link_.departure(now, [&] { return packet.flow(); });
  }

  Manager manager_;
  std::size_t buffer_;  // packets
  Link link_;
  RingQueue<Packet> waiting_;
  Packet in_service_{};
  Picoseconds next_departure_ = kNever;
};

}  // namespace packetsim
