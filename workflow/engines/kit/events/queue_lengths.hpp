// Which of many queues is the longest, and of several the one that has been so for the longest time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kit {

// For each length a list of the queues that have it, in the order in which they came to it. A tie is thus
// broken by no queue's number, which would single out the same users for every loss.
class QueueLengths {
 public:
  explicit QueueLengths(std::size_t queues) : nodes_(queues), lists_(16) {}

  std::int32_t operator[](std::size_t queue) const { return nodes_[queue].length; }

  void add(std::size_t queue, std::int32_t change) {
    remove(queue);
    nodes_[queue].length += change;
    insert(queue);
    const auto length = static_cast<std::size_t>(nodes_[queue].length);
    if (length > longest_) {
      longest_ = length;
    }
    while (longest_ > 0 && lists_[longest_].first == kNone) {
      --longest_;
    }
  }

  // A queue's length changes by one.
  void move(std::size_t queue, std::size_t from, std::size_t to) { add(queue, to > from ? 1 : -1); }

  // The largest length.
  std::size_t longest() const { return longest_; }

  // The queue that has had it for the longest time; there must be one that is not empty.
  std::size_t first() const { return lists_[longest_].first; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Node {
    std::int32_t length = 0;
    std::uint32_t before = kNone;
    std::uint32_t next = kNone;
  };
  struct List {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  // Empty queues are in no list.
  void remove(std::size_t queue) {
    const Node& node = nodes_[queue];
    if (node.length == 0) {
      return;
    }
    List& list = lists_[static_cast<std::size_t>(node.length)];
    (node.before == kNone ? list.first : nodes_[node.before].next) = node.next;
    (node.next == kNone ? list.last : nodes_[node.next].before) = node.before;
  }

  void insert(std::size_t queue) {
    Node& node = nodes_[queue];
    if (node.length == 0) {
      return;
    }
    const auto length = static_cast<std::size_t>(node.length);
    if (length >= lists_.size()) {
      lists_.resize(2 * length);
    }
    List& list = lists_[length];
    node.next = kNone;
    node.before = std::exchange(list.last, static_cast<std::uint32_t>(queue));
    (node.before == kNone ? list.first : nodes_[node.before].next) = static_cast<std::uint32_t>(queue);
  }

  std::vector<Node> nodes_;
  std::vector<List> lists_;  // by length
  std::size_t longest_ = 0;
};

}  // namespace kit
