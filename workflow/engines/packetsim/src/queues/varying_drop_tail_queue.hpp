// A drop-tail queue in front of a link whose rate varies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kit.hpp"
#include "kit/events/ring_queue.hpp"
#include "kit/random/tie_rule.hpp"
#include "queues/link.hpp"
#include "queues/queue_monitor.hpp"

namespace packetsim {

// As DropTailQueue, which has no list of departures: when a packet will depart is known as soon as it
// arrives, since the link's steps are known and no other packet changes what has been let in.
class VaryingDropTailQueue : public QueueMonitor {
 public:
  VaryingDropTailQueue(std::int32_t buffer_packets, Link link, const TieRule& ties)
      : buffer_(static_cast<std::size_t>(buffer_packets)), link_(std::move(link)), ties_(ties) {}

  // Returns when the packet will have left the link's sender, or kNever if it is dropped.
  Picoseconds arrive(Picoseconds now, std::size_t flow = 0) {
    return arrive(now, [&](Picoseconds ready) { return link_.departure(ready, [flow] { return flow; }); });
  }
  // The same with when the packet will have left if the link begins with it at a time.
  template <class Departure>
  Picoseconds arrive(Picoseconds now, Departure departure) {
    depart_before(now);
    if (present() > 0 && departures_.front() == now && ties_.departure_first()) {
      depart_one();
    }
    count_arrival();
    if (present() == buffer_) {
      count_drop();
      return kNever;
    }
    move_to(present() + 1, now);
    free_at_ = departure(std::max(now, free_at_));
    departures_.push(free_at_);
    return free_at_;
  }

  // Departures need not be asked for, nor flows fetched, as in a FairQueue.
  static constexpr Picoseconds next_departure() { return kNever; }
  static void prefetch(std::size_t /*flow*/) {}

  void restart_monitor(Picoseconds now) {
    depart_before(now);
    QueueMonitor::restart_monitor(now);
  }
  void close_monitor(Picoseconds now) {
    depart_before(now);
    QueueMonitor::close_monitor(now);
  }

 private:
  void depart_before(Picoseconds end) {
    while (present() > 0 && departures_.front() < end) {
      depart_one();
    }
  }
  void depart_one() {
    move_to(present() - 1, departures_.front());
    departures_.pop();
  }

  std::size_t buffer_;
  Link link_;
  TieRule ties_;
  Picoseconds free_at_ = 0;            // when the link has sent what it was given
  RingQueue<Picoseconds> departures_;  // of the packets here
};

}  // namespace packetsim
