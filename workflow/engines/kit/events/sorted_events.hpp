// Events that are pushed in order of time, or nearly so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kit/events/event.hpp"
#include "kit/events/event_bins.hpp"
#include "kit/main/units.hpp"

namespace kit {

// Most come after all that were pushed before, or after all but a few: these lie in one piece of memory, in
// order. The others go to bins. Of events at the same time, the one with the earlier cause comes first, and
// of those the one that was pushed first.
class SortedEvents {
 public:
  static constexpr std::ptrdiff_t kAhead = 8;  // events whose flows are shown in advance

  explicit SortedEvents(int shift) : far_(shift), items_(1024, kNoEvent) {
    items_[0].time = -1;
    place(0);
  }
  SortedEvents(const SortedEvents&) = delete;
  SortedEvents& operator=(const SortedEvents&) = delete;

  [[gnu::always_inline]] void push(const Event& event) {
    if (end_[-1].time <= event.time && end_ < limit_) [[likely]] {
      *end_ = event;
      (++end_)->time = kNever;
    } else {
      insert(event);
    }
  }

  // When the earliest event comes; kNever: there is none.
  Picoseconds next_time() {
    return far_pending_ == 0 ? near_time() : std::min(near_time(), far_.next_time());
  }

  // As EventBins::none_before.
  Picoseconds none_before() const {
    return far_pending_ == 0 ? near_time() : std::min(near_time(), far_.none_before());
  }

  // The earliest event; there must be one.
  const Event& front() { return far_is_next() ? *far_.begin() : *begin_; }
  // The payload of an event that comes soon, `places` behind the first, or of one of old; at most kAhead.
  std::uint64_t payload_ahead(std::ptrdiff_t places) const { return begin_[places].payload; }

  Event pop() {
    if (far_is_next()) [[unlikely]] {
      --far_pending_;
      return far_.pop();
    }
    return *begin_++;
  }

  // Removes the events before `end` in order, each by handle(event, ahead): `ahead` is a payload of one
  // that comes soon, or of none that comes.
  template <class Handle>
  [[gnu::always_inline]] void take_until(Picoseconds end, Handle handle) {
    for (;;) {
      const bool is_far = far_pending_ > 0 && far_.none_before() < end;
      const Picoseconds far_time = is_far ? far_.next_time() : kNever;
      const Picoseconds stop = std::min(end, far_time);
      const Event* event = begin_;
      for (; event->time < stop; ++event) {
        handle(*event, event[kAhead].payload);
      }
      begin_ = event;
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
    std::for_each(begin_, static_cast<const Event*>(end_), visit);
    far_.for_each(visit);
  }

 private:
  static constexpr std::ptrdiff_t kFew = 12;

  Picoseconds near_time() const { return begin_->time; }
  bool far_is_next() { return far_pending_ > 0 && far_.next_time() < kNever && *far_.begin() < *begin_; }

  [[gnu::noinline]] void insert(Event event) {  // by value: see EventBins
    if (end_ >= limit_) {
      make_room();
    }
    if (end_ - begin_ >= kFew && end_[-kFew].time > event.time) {
      far_.push(event);
      ++far_pending_;
      return;
    }
    Event* place = end_;
    (++end_)->time = kNever;
    for (; event < place[-1] && place != begin_; --place) {
      *place = place[-1];
    }
    *place = event;
  }

  // Moves what is left to the beginning, with one event that has been; doubles the memory if it is much.
  void make_room() {
    const auto pending = end_ - begin_;
    const auto first = begin_ - 1 - items_.data();
    if (4 * pending > static_cast<std::ptrdiff_t>(items_.size())) {
      items_.resize(2 * items_.size(), kNoEvent);
    }
    std::copy_n(items_.begin() + first, pending + 1, items_.begin());
    place(pending);
  }

  void place(std::ptrdiff_t pending) {
    begin_ = items_.data() + 1;
    end_ = items_.data() + 1 + pending;
    end_->time = kNever;
    limit_ = items_.data() + items_.size() - 1 - kAhead;
  }

  EventBins far_;
  std::size_t far_pending_ = 0;
  std::vector<Event> items_;
  const Event* begin_;
  Event* end_;
  const Event* limit_;  // from here on there is no room for another one, and for whoever looks ahead
};

}  // namespace kit
