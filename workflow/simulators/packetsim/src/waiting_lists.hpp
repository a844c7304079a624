// Many first-in-first-out lists of events, their nodes in one pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "event.hpp"
#include "units.hpp"

namespace packetsim {

class WaitingLists {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // Keeps the time of its first event (kNever if it is empty), so that asking for it touches no node.
  struct List {
    Picoseconds next_time = kNever;
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  [[gnu::always_inline]] void push(List& list, const Event& event) {
    if (free_ == kNone) [[unlikely]] {
      add_nodes();
    }
    const std::uint32_t index = free_;
    free_ = nodes_[index].next;
    nodes_[index] = {event, kNone};
    if (list.first == kNone) {
      list.first = index;
      list.next_time = event.time;
    } else {
      nodes_[list.last].next = index;
    }
    list.last = index;
  }

  // Removes and returns the first event; there must be one.
  Event pop(List& list) {
    const std::uint32_t index = list.first;
    list.first = nodes_[index].next;
    list.next_time = list.first == kNone ? kNever : nodes_[list.first].event.time;
    nodes_[index].next = free_;
    free_ = index;
    return nodes_[index].event;
  }

  template <class Visit>
  void for_each(const List& list, Visit visit) const {
    for (std::uint32_t index = list.first; index != kNone; index = nodes_[index].next) {
      visit(nodes_[index].event);
    }
  }

 private:
  struct Node {
    Event event;
    std::uint32_t next;
  };

  // Doubles the pool.
  [[gnu::noinline]] void add_nodes() {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    const std::uint32_t size = first == 0 ? 64 : 2 * first;
    nodes_.resize(size);
    for (std::uint32_t index = first; index < size; ++index) {
      nodes_[index].next = index + 1 < size ? index + 1 : kNone;
    }
    free_ = first;
  }

  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;  // list of unused nodes
};

}  // namespace packetsim
