// A calendar wheel for events that are scheduled in no particular order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

#include "kit/events/event.hpp"
#include "kit/main/units.hpp"

namespace kit {

// A calendar wheel: a ring of buckets of equal width, about one event in each, sorted only when its time has
// come. Pushing is a list insertion without a branch on what the bucket holds; popping is a scan of a bitmap.
// Events beyond the ring's span (long timers, long OFF times) wait in a heap. Events must be pushed in
// their order: of those at the same time, the one pushed first comes first.
class EventWheel {
 public:
  // About `pending` events at once, most of them less than `span` ahead: this sets the speed, never the
  // order.
  EventWheel(Picoseconds span, std::size_t pending)
      : buckets_(static_cast<std::int64_t>(std::bit_ceil(std::max<std::size_t>(pending, 64)))),
        shift_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(span / buckets_)))),
        heads_(static_cast<std::size_t>(buckets_), kNone),
        occupied_(static_cast<std::size_t>(buckets_) / 64, 0) {
    add_nodes();
  }

  void push(const Event& event) {
    const std::int64_t bucket = event.time >> shift_;
    const std::int64_t ahead = bucket - current_;
    if (static_cast<std::uint64_t>(ahead - 1) < static_cast<std::uint64_t>(buckets_ - 1)) [[likely]] {
      insert_into_ring(bucket, event);
    } else if (ahead <= 0) {
      insert_into_open_bucket(event);
    } else {
      far_.push(event);
    }
  }

  // The earliest event; kNoEvent if there is none.
  const Event& front() {
    if (open_next_ == open_end_) [[unlikely]] {
      if (in_ring_ == 0 && far_.empty()) {
        return kNoEvent;
      }
      open_next_bucket();
    }
    return open_[open_next_];
  }

  // Removes the earliest event; there must be one.
  void pop() {
    front();
    ++open_next_;
  }

  // Calls visit(event) for every pending event, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = open_next_; i < open_end_; ++i) {
      visit(open_[i]);
    }
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t index = head; index != kNone; index = nodes_[index].next) {
        visit(nodes_[index].event);
      }
    }
    for (auto far = far_; !far.empty(); far.pop()) {
      visit(far.top());
    }
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Node {
    Event event;
    std::uint32_t next;
  };

  struct Later {
    bool operator()(const Event& a, const Event& b) const { return b < a; }
  };

  // Doubles the pool; the open bucket can then hold all of it.
  void add_nodes() {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    const std::uint32_t size = std::max<std::uint32_t>(2 * first, 1024);
    nodes_.resize(size);
    for (std::uint32_t index = first; index < size; ++index) {
      nodes_[index].next = index + 1 < size ? index + 1 : free_;
    }
    free_ = first;
    open_.resize(std::max<std::size_t>(open_.size(), size));
  }

  void insert_into_ring(std::int64_t bucket, const Event& event) {
    if (free_ == kNone) [[unlikely]] {
      add_nodes();
    }
    const std::uint32_t index = free_;
    Node& node = nodes_[index];
    free_ = node.next;
    const auto slot = static_cast<std::size_t>(bucket & (buckets_ - 1));
    node = {event, heads_[slot]};
    heads_[slot] = index;
    occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    ++in_ring_;
  }

  // An event so near that its bucket is already being emptied: it goes to its place among those left.
  void insert_into_open_bucket(const Event& event) {
    if (open_end_ == open_.size()) [[unlikely]] {
      open_.resize(2 * open_.size());
    }
    std::uint32_t place = open_end_++;
    for (; place > open_next_ && open_[place - 1].time > event.time; --place) {
      open_[place] = open_[place - 1];
    }
    open_[place] = event;
  }

  [[gnu::noinline]] void open_next_bucket() {
    current_ = in_ring_ == 0 ? far_.top().time >> shift_ : current_ + distance_to_next_occupied();
    while (!far_.empty() && (far_.top().time >> shift_) - current_ < buckets_) {
      insert_into_ring(far_.top().time >> shift_, far_.top());
      far_.pop();
    }
    empty_current_bucket_into_open();
  }

  std::int64_t distance_to_next_occupied() const {
    const auto start = static_cast<std::size_t>((current_ + 1) & (buckets_ - 1));
    std::size_t word = start / 64;
    std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (start % 64));
    while (bits == 0) {
      word = (word + 1) & (occupied_.size() - 1);
      bits = occupied_[word];
    }
    const auto slot = static_cast<std::int64_t>(word * 64) + std::countr_zero(bits);
    return ((slot - current_ - 1) & (buckets_ - 1)) + 1;
  }

  void empty_current_bucket_into_open() {
    const auto slot = static_cast<std::size_t>(current_ & (buckets_ - 1));
    occupied_[slot / 64] ^= std::uint64_t{1} << (slot % 64);
    Event* const open = open_.data();
    const std::uint32_t first = heads_[slot];
    heads_[slot] = kNone;
    open_next_ = 0;
    Node& newest = nodes_[first];
    if (newest.next == kNone) {
      open[0] = newest.event;
      open_end_ = 1;
      newest.next = free_;
      free_ = first;
      --in_ring_;
      return;
    }
    std::uint32_t count = 0;
    std::uint32_t last = first;
    for (std::uint32_t index = first; index != kNone; index = nodes_[index].next) {
      open[count++] = nodes_[index].event;
      last = index;
    }
    nodes_[last].next = free_;
    free_ = first;
    in_ring_ -= count;
    open_end_ = count;
    // The list holds the latest push first; the stable sort needs the order of pushing.
    std::reverse(open, open + count);
    if (count <= kInsertionSortLimit) {
      insertion_sort(open, count);
    } else {
      std::stable_sort(open, open + count, [](const Event& a, const Event& b) { return a.time < b.time; });
    }
  }

  static constexpr std::uint32_t kInsertionSortLimit = 32;

  static void insertion_sort(Event* events, std::uint32_t count) {
    for (std::uint32_t i = 1; i < count; ++i) {
      const Event event = events[i];
      std::uint32_t place = i;
      for (; place > 0 && events[place - 1].time > event.time; --place) {
        events[place] = events[place - 1];
      }
      events[place] = event;
    }
  }

  std::int64_t buckets_;                 // a power of two
  int shift_;                            // a bucket spans 2^shift picoseconds
  std::int64_t current_ = 0;             // the bucket being emptied, counted from time 0
  std::vector<std::uint32_t> heads_;     // first node of each bucket's list
  std::vector<std::uint64_t> occupied_;  // a bit per bucket
  std::vector<Node> nodes_;              // grows to the largest number pending, then never again
  std::uint32_t free_ = kNone;           // list of unused nodes
  std::int64_t in_ring_ = 0;
  std::vector<Event> open_;  // the current bucket, sorted; [open_next_, open_end_) is still to come
  std::uint32_t open_next_ = 0;
  std::uint32_t open_end_ = 0;
  std::priority_queue<Event, std::vector<Event>, Later> far_;
};

}  // namespace kit
