// Events in order of time, in contiguous memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kit/events/event.hpp"
#include "kit/main/units.hpp"

namespace kit {

// In order of time and cause; those that have both in common come as they were pushed.
class EventLine {
 public:
  static constexpr std::ptrdiff_t kAhead = 8;  // readable behind the last event, for those who look ahead

  EventLine() : events_(1024, kNoEvent) {
    events_[0].time = -1;
    place(0);
  }
  EventLine(const EventLine&) = delete;
  EventLine& operator=(const EventLine&) = delete;

  // The time behind the last event is kNever, and the event before the first none that is later.
  const Event* begin() const { return begin_; }
  const Event* end() const { return end_; }

  // Removes the events before this one.
  void begin_at(const Event* event) { begin_ = event; }
  Event pop() { return *begin_++; }

  // Appends the event if it comes after all others and there is room; says whether it did.
  [[gnu::always_inline]] bool append(const Event& event) {
    if (event.time < end_[-1].time || end_ >= limit_) [[unlikely]] {
      return false;
    }
    *end_ = event;
    (++end_)->time = kNever;
    return true;
  }

  // Puts the event in its place among the others. Most belong near the end; one that belongs in the first
  // half of many, as a paced sender's next packet before the acknowledgements under way, is put in from the
  // front.
  void insert(const Event& event) {
    const std::ptrdiff_t pending = end_ - begin_;
    if (pending > kMany && event < begin_[pending / 2] && begin_ - events_.data() > 1) [[unlikely]] {
      move_up(event);
      return;
    }
    if (end_ >= limit_) [[unlikely]] {
      make_room(1);
    }
    *end_ = event;
    move_back(end_++);
    end_->time = kNever;
  }

  // Replaces all events by so many, which fill(first) writes, nearly in order.
  template <class Fill>
  [[gnu::always_inline]] void assign(std::ptrdiff_t count, Fill fill) {
    end_ = events_.data() + 1;
    begin_ = end_;
    if (count > limit_ - end_) [[unlikely]] {
      make_room(count);
    }
    fill(end_);
    end_ += count;
    end_->time = kNever;
    for (Event* event = end_ - count; event != end_; ++event) {
      if (event->time <= event[-1].time) [[unlikely]] {
        move_back(event);
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t kMany = 16;

  // Inserts from the front: earlier events move up, into the place of the last event removed.
  [[gnu::noinline]] void move_up(const Event& event) {
    --begin_;
    Event* place = events_.data() + (begin_ - events_.data());
    for (; !(event < place[1]); ++place) {
      *place = place[1];
    }
    *place = event;
  }

  // To its place among those before it.
  void move_back(Event* place) const {
    const Event event = *place;
    for (; place != begin_ && event < place[-1]; --place) {
      *place = place[-1];
    }
    *place = event;
  }

  // For so many more events: those left move to the front, with one that has been, or the memory grows.
  [[gnu::noinline]] void make_room(std::ptrdiff_t more) {
    const auto pending = end_ - begin_;
    const auto first = begin_ - 1 - events_.data();
    const auto least = static_cast<std::size_t>(4 * (pending + more));
    if (least > events_.size()) {
      events_.resize(least, kNoEvent);
    }
    std::copy_n(events_.begin() + first, pending + 1, events_.begin());
    place(pending);
  }

  void place(std::ptrdiff_t pending) {
    begin_ = events_.data() + 1;
    end_ = events_.data() + 1 + pending;
    end_->time = kNever;
    limit_ = events_.data() + events_.size() - 1 - kAhead;
  }

  std::vector<Event> events_;
  const Event* begin_;
  Event* end_;
  const Event* limit_;  // from here on there is no room
};

}  // namespace kit
