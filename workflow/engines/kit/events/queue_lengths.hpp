// Which of many queues is the longest, and of several the one that has been so for the longest time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace kit {

// For each length a list of the queues that have it, in the order in which they came to it. A tie is thus
// broken by no queue's number, which would single out the same users for every loss.
class QueueLengths {
 public:
  explicit QueueLengths(std::size_t queues) : lengths_(queues), places_(queues), lists_(1) {
    for (std::size_t queue = 0; queue < queues; ++queue) {
      places_[queue] = lists_[0].insert(lists_[0].end(), queue);
    }
  }

  std::int32_t operator[](std::size_t queue) const { return static_cast<std::int32_t>(lengths_[queue]); }

  // A queue's length changes by one.
  void add(std::size_t queue, std::int32_t change) {
    move(queue, lengths_[queue], lengths_[queue] + static_cast<std::size_t>(change));
  }
  void move(std::size_t queue, std::size_t from, std::size_t to) {
    lengths_[queue] = to;
    if (to == lists_.size()) {
      lists_.emplace_back();
    }
    lists_[to].splice(lists_[to].end(), lists_[from], places_[queue]);
    longest_ = std::max(longest_, to);
    if (lists_[longest_].empty()) {
      --longest_;
    }
  }

  // The largest length.
  std::size_t longest() const { return longest_; }

  // The queue that has had it for the longest time; there must be one that is not empty.
  std::size_t first() const { return lists_[longest_].front(); }

 private:
  std::vector<std::size_t> lengths_;
  std::vector<std::list<std::size_t>::iterator> places_;
  std::vector<std::list<std::size_t>> lists_;  // by length
  std::size_t longest_ = 0;
};

}  // namespace kit
