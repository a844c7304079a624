// The events of a network that are handled one by one.
#pragma once

#include <algorithm>

#include "kit.hpp"
#include "kit/events/event.hpp"
#include "kit/events/event_bins.hpp"
#include "kit/events/sorted_events.hpp"

namespace packetsim {

// Timers and starts, acknowledgements that come back, and packets on their way to the queue that all share.
// Of events at the same time the one whose cause came first is the first; of those with the same cause a
// sender's own, then an acknowledgement. The queue's departures come before all of them.
class EventQueues {
 protected:
  // A bin of events is 2^shift picoseconds.
  explicit EventQueues(int shift) : events_(shift), acknowledgements_(shift), arrivals_(shift) {}

  // Hands the earliest event to the network, whose members `departed`, `arrived` and `handle_next` take it;
  // `handle_next` fetches an acknowledgement or an event of a sender's own itself. `next_departure` is the
  // queue's. Returns whether there was an event before or at `end`.
  template <class Network>
  [[gnu::always_inline]] bool step(Network& network, Picoseconds next_departure, Picoseconds end) {
    const Picoseconds own = events_.next_time();
    const Picoseconds ack = acknowledgements_.next_time();
    const Picoseconds arrival = arrivals_.next_time();
    const Picoseconds first = std::min({own, ack, arrival, next_departure});
    if (first > end) {
      return false;
    }
    if (next_departure == first) {
      network.departed(first);
    } else if (arrival == first && !(own == first && !(arrivals_.front() < *events_.begin())) &&
               !(ack == first && !(arrivals_.front() < acknowledgements_.front()))) {
      network.arrived(arrivals_.pop());
    } else {
      const bool is_ack = own != first || (ack == first && acknowledgements_.front() < *events_.begin());
      network.handle_next(is_ack);
    }
    return true;
  }

  EventBins events_;
  SortedEvents acknowledgements_;  // one by one: apart from timers and starts
  SortedEvents arrivals_;
};

}  // namespace packetsim
