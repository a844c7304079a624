// Many FIFO queues whose nodes share one pool.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace kit {

// The pool doubles when it is used up, so in the long run nothing is allocated.
template <class Item>
class LinkedFifos {
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;

 public:
  // Belongs to the pool that it was filled from.
  class Fifo {
   public:
    bool empty() const { return first_ == kNone; }

   private:
    friend LinkedFifos;
    Index first_ = kNone;
    Index last_ = kNone;
  };

  // Returns whether it is the only item now.
  [[gnu::always_inline]] bool push(Fifo& fifo, const Item& item) {
    if (free_ == kNone) [[unlikely]] {
      add_nodes();
    }
    const Index index = free_;
    free_ = nodes_[index].next;
    nodes_[index] = {item, kNone};
    const Index last = std::exchange(fifo.last_, index);
    if (fifo.empty()) {
      fifo.first_ = index;
      return true;
    }
    nodes_[last].next = index;
    return false;
  }

  // The first item; there must be one.
  const Item& front(const Fifo& fifo) const { return nodes_[fifo.first_].item; }

  // Fetches the first item into the cache.
  void prefetch(const Fifo& fifo) const {
    __builtin_prefetch(nodes_.data() + (fifo.empty() ? 0 : fifo.first_), 1);
  }

  // Removes the first item; there must be one. It stays where it is until the next push.
  [[gnu::always_inline]] const Item& pop(Fifo& fifo) {
    const Index index = fifo.first_;
    Node& node = nodes_[index];
    fifo.first_ = std::exchange(node.next, free_);
    free_ = index;
    return node.item;
  }

  // Calls visit(item) for every item, in order.
  template <class Visit>
  void for_each(const Fifo& fifo, Visit visit) const {
    for (Index index = fifo.first_; index != kNone; index = nodes_[index].next) {
      visit(nodes_[index].item);
    }
  }

 private:
  struct Node {
    Item item;
    Index next;
  };

  // All nodes are in use.
  [[gnu::noinline]] void add_nodes() {
    const auto first = static_cast<Index>(nodes_.size());
    const Index size = first == 0 ? 64 : 2 * first;
    nodes_.resize(size);
    for (Index index = first; index < size; ++index) {
      nodes_[index].next = index + 1 < size ? index + 1 : kNone;
    }
    free_ = first;
  }

  std::vector<Node> nodes_;
  Index free_ = kNone;  // list of unused nodes
};

}  // namespace kit
