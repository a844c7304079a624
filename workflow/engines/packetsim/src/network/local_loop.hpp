// The local loop (Baccelli, Hong and Liu 2001, figure 1): users over paths of their own behind one shared
// router, all of them packet by packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kit.hpp"
#include "kit/events/event.hpp"
#include "kit/events/queue_lengths.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/main/clock.hpp"
#include "kit/main/measurements.hpp"
#include "network/loop_senders.hpp"
#include "network/payload.hpp"
#include "network/user_path.hpp"
#include "queues/drop_tail_queue.hpp"
#include "queues/fair_queue.hpp"
#include "queues/link.hpp"
#include "queues/make_queue.hpp"
#include "queues/managed_packet.hpp"

namespace packetsim {

// A shared router's fair queue. Of several longest queues the one that has been so for the longest time
// counts as the first: which users lose does not depend on their numbers.
template <bool head_of_line_apart>
struct LoopQueueRules {
  struct Packet {
    std::uint64_t payload;
    Picoseconds arrived;
    Picoseconds sent = 0;
  };
  using Lengths = QueueLengths;
  static constexpr bool kHeadOfLineApart = head_of_line_apart;
  static constexpr bool kOwnLosesArrival = true;
};
template <bool head_of_line_apart>
using LoopQueue = BasicFairQueue<LoopQueueRules<head_of_line_apart>>;

// Three events a packet: its arrival at the shared router, its departure, and its acknowledgement's arrival
// at the source; a FIFO's departures need none. They are handled one by one, not in windows as a dumbbell's:
// a source that sees a loss at once sends its next packet at the instant at which another user's packet meets
// a full buffer, so there is no lookahead.
//
// Of events at the same time departures come first, then the one whose cause came first; that of an arrival
// is the packet's transmission.
//
// `Connection` is one of loop_connections.hpp, `Queue` a LoopQueue, a DropTailQueue or a managed one of
// make_queue.hpp, as the settings must have it too.
template <class Connection, class Queue>
class LocalLoop : public LoopSenders<Connection> {
  using Base = LoopSenders<Connection>;

 public:
  // The settings must be valid: see kit::local_loop::check(). Throws std::invalid_argument for a load that
  // leaves nothing of its router.
  LocalLoop(const kit::local_loop::Settings& settings, std::uint64_t seed)
      : LocalLoop(settings, Connection::rules(settings), seed) {}

  LocalLoop(const kit::local_loop::Settings& settings, const typename Connection::Rules& rules,
            std::uint64_t seed)
      : Base(settings, rules, seed), router_(queue_of(settings, path_, seed)) {}

  // Until the users have sent so many packets since the measurements began, or nothing more happens. Throws
  // Unsupported where the clock ends before.
  void run_until_sent(std::int64_t packets) {
    while (monitor_.sums().sent < packets && this->step(*this, router_.next_departure(), kNever - 1)) {
      if (now_ > kClockEnd) {
        clock_ended();
      }
    }
  }

  // Discards the measurements of the warm-up; counters go on.
  void restart_measurements() {
    monitor_.restart(now_);
    router_.restart_monitor(now_);
  }

  Measurements measurements() {
    router_.close_monitor(now_);
    Measurements result = monitor_.measurements(now_);
    result.queue_time_at = router_.time_at();
    this->count_under_way(result.counters);
    if constexpr (kDeparts) {
      result.counters.packets_in_flight += static_cast<std::int64_t>(router_.present());
    }
    return result;
  }

  // Time that the packets at the shared router have spent there, for tests of Little's law.
  PicosecondSum sojourn_of_present() const {
    PicosecondSum sum = 0;
    if constexpr (kDeparts) {
      router_.for_each([&](const auto& packet) { sum += now_ - packet.arrived; });
    }
    return sum;
  }

 private:
  friend class EventQueues;
  using Base::arrivals_, Base::begin, Base::carry, Base::lose, Base::monitor_, Base::now_, Base::path_,
      Base::prefetch;

  static constexpr bool kDeparts = requires { typename Queue::Packet; };  // departures are asked for

  static Queue queue_of(const kit::local_loop::Settings& settings, const UserPath& path,
                        [[maybe_unused]] std::uint64_t seed) {
    const auto users = static_cast<std::size_t>(settings.users);
    if constexpr (!kDeparts) {
      return Queue(settings.buffer.packets, path.shared_transmission());
    } else if constexpr (std::is_same_v<typename Queue::Packet, ManagedPacket>) {
      return make_queue<Queue>({{}, 0, settings.buffer.packets}, users, settings.packet_bytes,
                               Link(path.shared_transmission()), seed);
    } else {
      return Queue(users, settings.buffer.packets, !settings.buffer.individual,
                   Link(path.shared_transmission()));
    }
  }

  void arrived(const Event& event) {
    begin(event);
    const Payload payload(event.payload);
    if constexpr (kDeparts) {
      router_.prefetch(Payload(arrivals_.payload_ahead(EventLine::kAhead)).flow());
      router_.arrive(payload.flow(), {event.payload, now_, event.cause}, dropping());
    } else {
      const Picoseconds departure = router_.arrive(now_);
      if (departure == kNever) {
        lose(payload);
      } else {
        carry(payload, event.cause, departure);
        monitor_.sums().sojourn += departure - now_;
      }
    }
  }

  void departed([[maybe_unused]] Picoseconds now) {
    if constexpr (kDeparts) {
      now_ = now;
      ++monitor_.counters().events;
      const typename Queue::Packet packet = router_.depart(dropping());
      prefetch(router_.prefetch_next());
      monitor_.sums().sojourn += now_ - packet.arrived;
      carry(Payload(packet.payload), packet.sent, now_);
    }
  }

  // Returns the function that is told of every packet that the shared router drops.
  auto dropping() {
    return [this](const auto& dropped) {
      monitor_.sums().sojourn += now_ - dropped.arrived;
      lose(Payload(dropped.payload));
    };
  }

  Queue router_;
};

}  // namespace packetsim
