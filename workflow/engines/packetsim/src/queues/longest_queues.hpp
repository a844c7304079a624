// Lengths of queues of which the first longest is always known.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace packetsim {

// For each length the set of queues that have it, as bits. Lengths change by one, so the longest is found at
// once.
class LongestQueues {
 public:
  explicit LongestQueues(std::size_t queues)
      : sets_{{std::vector<std::uint64_t>((queues + 63) / 64, UINT64_MAX), queues}} {}

  std::size_t longest() const { return longest_; }

  // A queue's length changes by one.
  void move(std::size_t queue, std::size_t from, std::size_t to) {
    if (to == sets_.size()) [[unlikely]] {
      sets_.push_back({std::vector<std::uint64_t>(sets_[0].bits.size()), 0});
    }
    const std::uint64_t bit = std::uint64_t{1} << (queue % 64);
    sets_[from].bits[queue / 64] ^= bit;
    --sets_[from].queues;
    sets_[to].bits[queue / 64] ^= bit;
    ++sets_[to].queues;
    longest_ = std::max(longest_, to);
    if (sets_[longest_].queues == 0) {
      --longest_;
    }
  }

  // The first queue of the longest.
  std::size_t first() const {
    const std::vector<std::uint64_t>& bits = sets_[longest_].bits;
    const auto word = std::ranges::find_if(bits, [](std::uint64_t bits_of_64) { return bits_of_64 != 0; });
    return 64 * static_cast<std::size_t>(word - bits.begin()) +
           static_cast<std::size_t>(std::countr_zero(*word));
  }

 private:
  struct Set {
    std::vector<std::uint64_t> bits;
    std::size_t queues;
  };

  std::vector<Set> sets_;  // by length
  std::size_t longest_ = 0;
};

}  // namespace packetsim
