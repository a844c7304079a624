// A FIFO queue that stops allocating once it has reached its largest length.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace kit {

// A ring that doubles when it is full.
template <class Item>
class RingQueue {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  const Item& front() const { return items_[begin_ & last_]; }
  void pop() { ++begin_; }
  // An item so many behind the first, or some item of old.
  const Item& ahead(std::size_t count) const { return items_[(begin_ + count) & last_]; }
  Item& ahead(std::size_t count) { return items_[(begin_ + count) & last_]; }
  void clear() { begin_ = end_; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = begin_; i != end_; ++i) {
      visit(items_[i & last_]);
    }
  }

  void push(const Item& item) {
    if (end_ - begin_ > last_) [[unlikely]] {
      grow();
    }
    items_[end_++ & last_] = item;
  }

 private:
  [[gnu::noinline]] void grow() {
    std::vector<Item> larger(2 * items_.size());
    for (std::size_t i = begin_; i != end_; ++i) {
      larger[i & (larger.size() - 1)] = items_[i & last_];
    }
    items_ = std::move(larger);
    last_ = items_.size() - 1;
  }

  std::vector<Item> items_ = std::vector<Item>(64);
  std::size_t last_ = 63;  // index: a size would be a quotient
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace kit
