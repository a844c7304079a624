// The priority queue of pending events: bins of time, sorted when they are opened.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "kit/events/event.hpp"
#include "kit/events/event_line.hpp"
#include "kit/main/units.hpp"

namespace kit {

// A bin is 2^shift picoseconds. Events are appended to their bin in any order; when it is opened they are
// sorted by counting, without a branch on which comes first. What is pushed into the open bin goes to its
// place among the events left there; what lies beyond all bins waits apart.
//
// Events come in order of time and cause; those that have both in common come as they were pushed, if they
// were pushed less than 1,024 bins ahead.
class EventBins {
 public:
  explicit EventBins(int shift) : shift_(shift), chunks_(kBins) {}

  [[gnu::always_inline]] void push(const Event& event) {
    const Picoseconds number = event.time >> shift_;
    if (static_cast<std::uint64_t>(number - first_closed_) < kBins - 1) [[likely]] {
      append(index(number), event);
    } else {
      push_elsewhere(event);
    }
  }

  // When the earliest event comes; kNever: there is none. Opens its bin.
  [[gnu::always_inline]] Picoseconds next_time() {
    if (begin()->time == kNever) [[unlikely]] {
      open_next();
    }
    return begin()->time;
  }

  // As next_time() if that is before `end`. What is pushed into a bin before it is opened costs least, so
  // none is opened that begins later.
  Picoseconds next_time(Picoseconds end) {
    return first_closed_ << shift_ < end ? next_time() : begin()->time;
  }

  // The events left in the open bin, in order, and behind them kNoEvent. Good until the next push.
  const Event* begin() const { return open_.begin(); }

  // Removes and returns the first event of the open bin; there must be one.
  [[gnu::always_inline]] Event pop() { return open_.pop(); }

  // Calls visit(event) for every pending event, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    std::for_each(open_.begin(), open_.end(), visit);
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      visit_bin(bin, visit);
    }
    std::ranges::for_each(far_, visit);
  }

 private:
  static constexpr std::size_t kBins = 2048;
  static constexpr std::size_t kChunkBytes = 1024;
  static constexpr std::size_t kInChunk = 42;
  static constexpr std::size_t kFew = 6;  // sorted faster by insertion alone

  struct alignas(kChunkBytes) Chunk {
    Chunk* next;
    std::uint64_t unused;
    Event events[kInChunk];  // the last one ends with the chunk
  };
  static_assert(sizeof(Chunk) == kChunkBytes);

  struct Chunks {
    Chunk* first = nullptr;
    Chunk* last = nullptr;
  };

  static std::size_t index(Picoseconds number) { return static_cast<std::size_t>(number) & (kBins - 1); }

  [[gnu::always_inline]] void append(std::size_t bin, const Event& event) {
    Event* place = ends_[bin];
    if (reinterpret_cast<std::uintptr_t>(place) % kChunkBytes == 0) [[unlikely]] {
      place = add_chunk(chunks_[bin]);
    }
    *place = event;
    ends_[bin] = place + 1;
  }

  // By value, as all that push() calls: an event that has no address stays in registers.
  [[gnu::noinline]] void push_elsewhere(Event event) {
    if (event.time >> shift_ < first_closed_) {
      open_.insert(event);
    } else {
      far_.push_back(event);
    }
  }

  [[gnu::noinline]] Event* add_chunk(Chunks& bin) {
    if (free_ == nullptr) {
      constexpr std::size_t kAtOnce = 64;
      blocks_.push_back(std::make_unique_for_overwrite<Chunk[]>(kAtOnce));
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        blocks_.back()[i].next = free_;
        free_ = &blocks_.back()[i];
      }
    }
    Chunk* const chunk = free_;
    free_ = chunk->next;
    chunk->next = nullptr;
    if (bin.first == nullptr) {
      bin.first = chunk;
      ++filled_bins_;
    } else {
      bin.last->next = chunk;
    }
    bin.last = chunk;
    return chunk->events;
  }

  template <class Visit>
  [[gnu::always_inline]] void visit_bin(std::size_t bin, Visit visit) const {
    for (const Chunk* chunk = chunks_[bin].first; chunk != nullptr; chunk = chunk->next) {
      const Event* const end = chunk == chunks_[bin].last ? ends_[bin] : chunk->events + kInChunk;
#pragma GCC unroll 4
      for (const Event* event = chunk->events; event != end; ++event) {
        visit(*event);
      }
    }
  }

  // Opens the next bin that is not empty, if there is one.
  [[gnu::noinline]] void open_next() {
    if (filled_bins_ == 0) {
      if (far_.empty()) {
        return;
      }
      first_closed_ = std::min_element(far_.begin(), far_.end())->time >> shift_;
      bring_in_far();
    }
    do {
      if (first_closed_++ % static_cast<Picoseconds>(kBins / 2) == 0) {
        bring_in_far();
      }
    } while (ends_[index(first_closed_ - 1)] == nullptr);
    sort(index(first_closed_ - 1));
  }

  void bring_in_far() {
    std::erase_if(far_, [this](const Event& event) {
      const bool near = event.time >> shift_ < first_closed_ + static_cast<Picoseconds>(kBins - 1);
      if (near) {
        append(index(event.time >> shift_), event);
      }
      return near;
    });
  }

  void sort(std::size_t bin) {
    Chunks& chunks = chunks_[bin];
    std::size_t count = static_cast<std::size_t>(ends_[bin] - chunks.last->events);
    for (const Chunk* chunk = chunks.first; chunk != chunks.last; chunk = chunk->next) {
      count += kInChunk;
    }
    open_.assign(
        static_cast<std::ptrdiff_t>(count), [&](Event * events) __attribute__((always_inline)) {
          if (count > kFew && count <= UINT8_MAX) {
            sort_by_counting<std::uint8_t>(bin, count, events);
          } else if (count > kFew && count <= UINT16_MAX) {
            sort_by_counting<std::uint16_t>(bin, count, events);
          } else {
            Event* end = events;
            visit_bin(bin, [&](const Event& event) { *end++ = event; });
            std::stable_sort(events, count > kFew ? end : events);
          }
        });
    chunks.last->next = free_;
    free_ = chunks.first;
    chunks = {};
    ends_[bin] = nullptr;
    --filled_bins_;
  }

  // Into at least as many slots as there are events, so that few are left out of order.
  template <class Count>
  [[gnu::always_inline]] void sort_by_counting(std::size_t bin, std::size_t count, Event* events) {
    constexpr int kBits = 8 * sizeof(Count);
    constexpr std::size_t kInWord = 64 / kBits;
    constexpr std::uint64_t kOnes = UINT64_MAX / ((std::uint64_t{1} << kBits) - 1);
    const int bits = static_cast<int>(std::bit_width(count | kInWord));
    const int shift = std::max(shift_ - bits, 0);
    const std::size_t mask = (std::size_t{1} << bits) - 1;
    const auto slot = [&](const Event& event) {
      return static_cast<std::size_t>(event.time >> shift) & mask;
    };
    places_.resize(std::max(places_.size(), (mask + 1) / kInWord));
    auto* const places = reinterpret_cast<Count*>(places_.data());
    std::memset(places, 0, (mask + 1) * sizeof *places);
    visit_bin(bin, [&](const Event& event) { ++places[slot(event)]; });
    // How many are in the slots before, for all slots of a word at once: a product adds up those of the word.
    std::uint64_t before = 0;
    for (std::size_t i = 0; i <= mask; i += kInWord) {
      std::uint64_t counts;
      std::memcpy(&counts, places + i, sizeof counts);
      const std::uint64_t sums = counts * kOnes + before;
      const std::uint64_t at = sums - counts;
      std::memcpy(places + i, &at, sizeof at);
      before = (sums >> (64 - kBits)) * kOnes;
    }
    visit_bin(bin, [&](const Event& event) { events[places[slot(event)]++] = event; });
  }

  int shift_;
  Picoseconds first_closed_ = 0;  // the number of the bin behind the open one, counted from time 0
  std::array<Event*, kBins> ends_{};
  std::vector<Chunks> chunks_;
  std::size_t filled_bins_ = 0;
  EventLine open_;          // the events of the open bin
  std::vector<Event> far_;  // beyond all bins, in the order of pushing
  std::vector<std::uint64_t> places_;
  std::vector<std::unique_ptr<Chunk[]>> blocks_;
  Chunk* free_ = nullptr;
};

}  // namespace kit
