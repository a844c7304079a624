// The priority queue of pending events.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "kit/events/event.hpp"
#include "kit/events/event_wheel.hpp"
#include "kit/events/lane.hpp"
#include "kit/main/units.hpp"

namespace kit {

// Most events come a constant time after another and so are pushed in order, or nearly so: for each kind of
// them there is a lane, a sorted ring. Events in any order, timers above all, go to a calendar wheel.
// Of events at the same time, the one that took its place in the order first comes first.
class EventQueue {
 public:
  static constexpr std::size_t kLanes = 3;

  // About `pending` events in no lane, most of them less than `span` ahead: this sets the speed, never the
  // order.
  EventQueue(Picoseconds span, std::size_t pending) : wheel_(span, pending) {}

  // A place in the order for an event that is pushed later.
  std::uint64_t next_order() { return order_++; }

  void push(Picoseconds time, std::uint64_t payload) {
    const Event event = {next_order(), time, payload};
    wheel_.push(event);
    come_first(event, kLanes);
  }

  // The same by way of a lane, if the event comes after those in it, or nearly so.
  void push(std::size_t lane, Picoseconds time, std::uint64_t payload) {
    if (lanes_[lane].is_nearly_last(time)) [[likely]] {
      insert(lane, {next_order(), time, payload});
    } else {
      push(time, payload);
    }
  }

  // An event that has its place in the order; it comes after those in the lane, but for some of its time.
  [[gnu::always_inline]] void insert(std::size_t lane, const Event& event) {
    lanes_[lane].insert(event);
    come_first(event, lane);
  }

  // When the earliest event comes; kNever: there is none.
  Picoseconds next_time() const { return next_.time; }

  // Removes and returns the earliest event; there must be one. The next one is looked for at once: the search
  // is a chain of loads and comparisons that the processor can work off beside the event.
  [[gnu::always_inline]] Event pop() {
    const Event event = next_;
    if (next_from_ == kLanes) {
      wheel_.pop();
    } else {
      lanes_[next_from_].pop();
    }
    const Event* const fronts[] = {&lanes_[0].front(), &lanes_[1].front(), &lanes_[2].front(),
                                   &wheel_.front()};
    const auto earlier = [&](std::size_t a, std::size_t b) {
      return a ^ ((a ^ b) & -static_cast<std::size_t>(*fronts[b] < *fronts[a]));
    };
    next_from_ = earlier(earlier(0, 1), earlier(2, kLanes));
    next_ = *fronts[next_from_];
    return event;
  }

  // Calls visit(event) for every pending event, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    wheel_.for_each(visit);
    for (const Lane& lane : lanes_) {
      lane.for_each(visit);
    }
  }

 private:
  void come_first(const Event& event, std::size_t from) {
    if (event < next_) [[unlikely]] {
      next_ = event;
      next_from_ = from;
    }
  }

  EventWheel wheel_;
  std::array<Lane, kLanes> lanes_;
  std::uint64_t order_ = 0;
  Event next_ = kNoEvent;
  std::size_t next_from_ = kLanes;
};

}  // namespace kit
