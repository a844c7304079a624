// A sorted ring for events that are scheduled in order of time, or nearly so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit/events/event.hpp"

namespace kit {

// A sorted ring that doubles when it is full. Its last event is followed by kNoEvent.
class Lane {
 public:
  Lane() { cells_[0] = kNoEvent; }

  const Event& front() const { return cells_[begin_]; }
  void pop() { begin_ = (begin_ + 1) & mask_; }

  // Whether an event at this time would come after all but a few.
  bool is_nearly_last(Picoseconds time) const {
    return size() < kFew || cells_[(end_ - kFew) & mask_].time <= time;
  }

  // Costs as many steps as there are events after this one.
  [[gnu::always_inline]] void insert(const Event& event) {
    std::size_t place = end_;
    for (std::size_t before = (place - 1) & mask_; place != begin_ && event < cells_[before];
         before = (place - 1) & mask_) {
      cells_[place] = cells_[before];
      place = before;
    }
    cells_[place] = event;
    end_ = (end_ + 1) & mask_;
    cells_[end_] = kNoEvent;
    if (((end_ + 1) & mask_) == begin_) [[unlikely]] {
      grow();
    }
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = begin_; i != end_; i = (i + 1) & mask_) {
      visit(cells_[i]);
    }
  }

 private:
  static constexpr std::size_t kFew = 8;

  std::size_t size() const { return (end_ - begin_) & mask_; }

  [[gnu::noinline]] void grow() {
    std::vector<Event> larger;
    larger.reserve(2 * cells_.size());
    for_each([&](const Event& event) { larger.push_back(event); });
    begin_ = 0;
    end_ = larger.size();
    larger.resize(2 * cells_.size(), kNoEvent);
    cells_ = std::move(larger);
    mask_ = cells_.size() - 1;
  }

  std::vector<Event> cells_ = std::vector<Event>(64, kNoEvent);
  std::size_t mask_ = 63;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace kit
