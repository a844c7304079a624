// Events that are pushed in order of time, or nearly so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kit/events/event.hpp"
#include "kit/events/event_bins.hpp"
#include "kit/events/event_line.hpp"
#include "kit/main/units.hpp"

namespace kit {

// Most come after all that were pushed before, or after all but a few: these lie in one piece of memory, in
// order. The others go to bins. Of events at the same time, the one with the earlier cause comes first, and
// of those the one that was pushed first.
class SortedEvents {
 public:
  explicit SortedEvents(int shift) : far_(shift) {}

  [[gnu::always_inline]] void push(const Event& event) {
    if (!near_.append(event)) [[unlikely]] {
      insert(event);
    }
  }

  bool empty() const { return near_.begin() == near_.end() && far_pending_ == 0; }

  // When the earliest event comes; kNever: there is none.
  Picoseconds next_time() {
    return far_pending_ == 0 ? near_.begin()->time : std::min(near_.begin()->time, far_.next_time());
  }

  // The earliest event; there must be one.
  const Event& front() { return far_is_next() ? *far_.begin() : *near_.begin(); }
  // The payload of an event that comes soon, `places` behind the first, or of one of old; at most
  // EventLine::kAhead.
  std::uint64_t payload_ahead(std::ptrdiff_t places) const { return near_.begin()[places].payload; }

  Event pop() {
    if (far_is_next()) [[unlikely]] {
      --far_pending_;
      return far_.pop();
    }
    return near_.pop();
  }

  // Removes the events before `end` in order, each by handle(event, ahead): `ahead` is a payload of one
  // that comes soon, or of none that comes.
  template <class Handle>
  [[gnu::always_inline]] void take_until(Picoseconds end, Handle handle) {
    for (;;) {
      const Picoseconds far_time = far_pending_ == 0 ? kNever : far_.next_time(end);
      const Picoseconds stop = std::min(end, far_time);
      const Event* event = near_.begin();
      for (; event->time < stop; ++event) {
        handle(*event, event[EventLine::kAhead].payload);
      }
      near_.begin_at(event);
      if (far_time >= end) {
        return;
      }
      const Event next = pop();
      handle(next, next.payload);
    }
  }

  // Calls visit(event) for every event, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    std::for_each(near_.begin(), near_.end(), visit);
    far_.for_each(visit);
  }

 private:
  static constexpr std::ptrdiff_t kFew = 12;

  bool far_is_next() {
    return far_pending_ > 0 && far_.next_time() < kNever && *far_.begin() < *near_.begin();
  }

  [[gnu::noinline]] void insert(Event event) {  // by value: see EventBins
    if (near_.end() - near_.begin() >= kFew && near_.end()[-kFew].time > event.time) {
      far_.push(event);
      ++far_pending_;
    } else {
      near_.insert(event);
    }
  }

  EventLine near_;
  EventBins far_;
  std::size_t far_pending_ = 0;
};

}  // namespace kit
