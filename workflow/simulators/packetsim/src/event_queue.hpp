// The pending events, in order of time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

#include "units.hpp"

namespace packetsim {

struct Event {
  Picoseconds time;
  std::uint64_t payload;
};

// A calendar wheel: a ring of buckets of equal width, about one event in each, sorted only when its time has
// come. Pushing is a list insertion without a branch on what the bucket holds; popping is a scan of a bitmap.
// What lies beyond the ring's span (long timers, long OFF times) waits in a heap. Of events at the same time,
// the one pushed first comes first as long as both were within the span when pushed.
class EventQueue {
 public:
  // `spacing` is the typical time between events; it sets the speed, never the order.
  explicit EventQueue(Picoseconds spacing)
      : shift_(
            static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<Picoseconds>(spacing, 2)))) -
            1),
        heads_(kBuckets, kNone),
        occupied_(kBuckets / 64, 0) {
    nodes_.reserve(1024);
  }

  void push(Picoseconds time, std::uint64_t payload) {
    const std::int64_t bucket = time >> shift_;
    const std::int64_t ahead = bucket - current_;
    if (ahead <= 0) {
      insert_into_open_bucket({time, payload});
    } else if (ahead < kBuckets) [[likely]] {
      insert_into_ring(bucket, time, payload);
    } else {
      far_.push({time, sequence_++, payload});
    }
  }

  bool empty() const { return open_next_ == open_.size() && in_ring_ == 0 && far_.empty(); }

  // Removes and returns the earliest event; the queue must not be empty.
  Event pop() {
    if (open_next_ == open_.size()) {
      open_next_bucket();
    }
    return open_[open_next_++];
  }

  // Calls visit(event) for every pending event, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    std::for_each(open_.begin() + static_cast<std::ptrdiff_t>(open_next_), open_.end(), visit);
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t index = head; index != kNone; index = nodes_[index].next) {
        visit(Event{nodes_[index].time, nodes_[index].payload});
      }
    }
    auto far = far_;
    for (; !far.empty(); far.pop()) {
      visit(Event{far.top().time, far.top().payload});
    }
  }

 private:
  static constexpr std::int64_t kBuckets = 16384;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Node {
    Picoseconds time;
    std::uint64_t payload;
    std::uint32_t next;
  };

  struct Far {
    Picoseconds time;
    std::uint64_t sequence;
    std::uint64_t payload;
    bool operator>(const Far& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };

  void insert_into_ring(std::int64_t bucket, Picoseconds time, std::uint64_t payload) {
    std::uint32_t index;
    if (free_ != kNone) [[likely]] {
      index = free_;
      free_ = nodes_[index].next;
    } else {
      index = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    }
    const auto slot = static_cast<std::size_t>(bucket & (kBuckets - 1));
    nodes_[index] = {time, payload, heads_[slot]};
    heads_[slot] = index;
    occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    ++in_ring_;
  }

  // An event so near that its bucket is already being emptied: it goes to its place among those left.
  void insert_into_open_bucket(Event event) {
    auto place = open_.end();
    while (place != open_.begin() + static_cast<std::ptrdiff_t>(open_next_) &&
           (place - 1)->time > event.time) {
      --place;
    }
    open_.insert(place, event);
  }

  void open_next_bucket() {
    if (in_ring_ == 0) {
      current_ = far_.top().time >> shift_;
    } else {
      current_ += distance_to_next_occupied();
    }
    while (!far_.empty() && (far_.top().time >> shift_) - current_ < kBuckets) {
      insert_into_ring(far_.top().time >> shift_, far_.top().time, far_.top().payload);
      far_.pop();
    }
    empty_current_bucket_into_open();
  }

  std::int64_t distance_to_next_occupied() const {
    const auto start = static_cast<std::size_t>((current_ + 1) & (kBuckets - 1));
    std::size_t word = start / 64;
    std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (start % 64));
    while (bits == 0) {
      word = (word + 1) % (kBuckets / 64);
      bits = occupied_[word];
    }
    const auto slot = static_cast<std::int64_t>(word * 64) + std::countr_zero(bits);
    return ((slot - current_ - 1) & (kBuckets - 1)) + 1;
  }

  void empty_current_bucket_into_open() {
    const auto slot = static_cast<std::size_t>(current_ & (kBuckets - 1));
    occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    open_.clear();
    open_next_ = 0;
    for (std::uint32_t index = heads_[slot]; index != kNone;) {
      const Node node = nodes_[index];
      open_.push_back({node.time, node.payload});
      nodes_[index].next = free_;
      free_ = index;
      index = node.next;
      --in_ring_;
    }
    heads_[slot] = kNone;
    if (open_.size() > 1) {
      // The list holds the latest push first; the stable sort needs the order of pushing.
      std::reverse(open_.begin(), open_.end());
      if (open_.size() <= kInsertionSortLimit) {
        insertion_sort();
      } else {
        std::stable_sort(open_.begin(), open_.end(),
                         [](const Event& a, const Event& b) { return a.time < b.time; });
      }
    }
  }

  static constexpr std::size_t kInsertionSortLimit = 32;

  void insertion_sort() {
    for (std::size_t i = 1; i < open_.size(); ++i) {
      const Event event = open_[i];
      std::size_t place = i;
      for (; place > 0 && open_[place - 1].time > event.time; --place) {
        open_[place] = open_[place - 1];
      }
      open_[place] = event;
    }
  }

  int shift_;                            // a bucket spans 2^shift picoseconds
  std::int64_t current_ = 0;             // the bucket being emptied, counted from time 0
  std::vector<std::uint32_t> heads_;     // first node of each bucket's list
  std::vector<std::uint64_t> occupied_;  // a bit per bucket
  std::vector<Node> nodes_;              // grows to the largest number pending, then never again
  std::uint32_t free_ = kNone;           // list of unused nodes
  std::int64_t in_ring_ = 0;
  std::vector<Event> open_;  // the current bucket, sorted; [open_next_, end) is still to come
  std::size_t open_next_ = 0;
  std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
  std::uint64_t sequence_ = 0;
};

}  // namespace packetsim
