// FIFO lists of events, one for each flow.
#pragma once

#include "kit/events/event.hpp"
#include "kit/events/linked_fifos.hpp"
#include "kit/main/units.hpp"

namespace kit {

class WaitingLists {
 public:
  // Keeps the time of its first event (kNever if it is empty), so that asking for it touches no node.
  struct List {
    Picoseconds next_time = kNever;
    LinkedFifos<Event>::Fifo events;
  };

  [[gnu::always_inline]] void push(List& list, const Event& event) {
    if (pool_.push(list.events, event)) {
      list.next_time = event.time;
    }
  }

  // Removes and returns the first event; there must be one.
  [[gnu::always_inline]] Event pop(List& list) {
    const Event& event = pool_.pop(list.events);
    list.next_time = list.events.empty() ? kNever : pool_.front(list.events).time;
    return event;
  }

  template <class Visit>
  void for_each(const List& list, Visit visit) const {
    pool_.for_each(list.events, visit);
  }

 private:
  LinkedFifos<Event> pool_;
};

}  // namespace kit
