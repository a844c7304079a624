// A tournament tree: counters with the largest at hand.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace packetsim {

// A binary tree over the counters: each node has the larger of the two below it. A change goes up as far as
// it moves a maximum, at most log2(counters) steps.
class MaxTree {
 public:
  // At least one counter, all 0; none must ever be negative.
  explicit MaxTree(std::size_t counters)
      : leaves_(std::bit_ceil(std::max<std::size_t>(counters, 1))), largest_(2 * leaves_, 0) {}

  std::int32_t operator[](std::size_t counter) const { return largest_[leaves_ + counter]; }

  void add(std::size_t counter, std::int32_t change) {
    std::size_t node = leaves_ + counter;
    largest_[node] += change;
    for (node /= 2; node > 0; node /= 2) {
      const std::int32_t below = std::max(largest_[2 * node], largest_[2 * node + 1]);
      if (largest_[node] == below) {
        return;
      }
      largest_[node] = below;
    }
  }

  // The first counter of the largest value.
  std::size_t first_largest() const {
    std::size_t node = 1;
    while (node < leaves_) {
      node = 2 * node + (largest_[2 * node] == largest_[node] ? 0 : 1);
    }
    return node - leaves_;
  }

 private:
  std::size_t leaves_;
  std::vector<std::int32_t> largest_;  // from the root at 1 to the leaves
};

}  // namespace packetsim
