// Lengths of queues of which the first longest is always known.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace packetsim {

// For each length the set of queues that have it, as bits, and as bits too which words of the set are not
// empty. Lengths change by one, so the longest is found at once.
class LongestQueues {
 public:
  explicit LongestQueues(std::size_t queues)
      : words_((queues + 63) / 64), summary_((words_ + 63) / 64), sets_(1) {}

  std::size_t longest() const { return longest_; }

  // A queue's length changes by one.
  void move(std::size_t queue, std::size_t from, std::size_t to) {
    if (from > 0) {
      Set& set = sets_[from];
      std::uint64_t& word = set.bits[queue / 64];
      word ^= bit(queue);
      set.bits[words_ + queue / 4096] ^= word == 0 ? bit(queue / 64) : 0;
      --set.queues;
    }
    if (to == sets_.size()) [[unlikely]] {
      sets_.push_back({std::vector<std::uint64_t>(words_ + summary_, 0), 0});
    }
    if (to > 0) {
      Set& set = sets_[to];
      set.bits[queue / 64] ^= bit(queue);
      set.bits[words_ + queue / 4096] |= bit(queue / 64);
      ++set.queues;
    }
    longest_ = std::max(longest_, to);
    if (longest_ > 0 && sets_[longest_].queues == 0) {
      --longest_;
    }
  }

  // The first queue of the longest; 0 if all are empty.
  std::size_t first() const {
    if (longest_ == 0) {
      return 0;
    }
    const std::vector<std::uint64_t>& bits = sets_[longest_].bits;
    std::size_t group = words_;
    while (bits[group] == 0) {
      ++group;
    }
    const std::size_t word = 64 * (group - words_) + static_cast<std::size_t>(std::countr_zero(bits[group]));
    return 64 * word + static_cast<std::size_t>(std::countr_zero(bits[word]));
  }

 private:
  struct Set {
    std::vector<std::uint64_t> bits;  // of the queues, then of the words of these
    std::size_t queues = 0;
  };

  static std::uint64_t bit(std::size_t number) { return std::uint64_t{1} << (number % 64); }

  std::size_t words_;
  std::size_t summary_;
  std::vector<Set> sets_;  // by length; that of length 0 is not kept
  std::size_t longest_ = 0;
};

}  // namespace packetsim
