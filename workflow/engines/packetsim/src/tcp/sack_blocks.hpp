// The blocks of packets beyond a hole that a receiver of Linux tells of, the last one that grew first.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace packetsim {

// Four at most, as fit into a segment's options (tcp_sack_new_ofo_skb).
class SackBlocks {
 public:
  void start() { count_ = 0; }

  // A packet comes beyond `missing`, the first that has not come. Returns the place among the blocks of the
  // one that it joins; their number, if it begins one.
  std::size_t add(std::int32_t packet, std::int32_t missing) {
    remove(0, [&](const Block& block) { return block.first <= missing; });
    Block grown{packet, packet + 1};
    std::size_t place = 0;
    while (place < count_ && !grown.touches(blocks_[place])) {
      ++place;
    }
    if (place == count_) {
      count_ = std::min(count_ + 1, blocks_.size());
    } else {
      grown.unite(blocks_[place]);
    }
    for (std::size_t i = std::min(place, count_ - 1); i > 0; --i) {
      blocks_[i] = blocks_[i - 1];
    }
    // It may have filled the hole between two.
    remove(1, [&](const Block& other) { return grown.touches(other) && grown.unite(other); });
    blocks_.front() = grown;
    return place;
  }

 private:
  struct Block {
    std::int32_t first = 0;
    std::int32_t end = 0;  // the first packet behind it

    bool touches(const Block& other) const { return other.first <= end && first <= other.end; }
    bool unite(const Block& other) {
      first = std::min(first, other.first);
      end = std::max(end, other.end);
      return true;
    }
  };

  template <class Is>
  void remove(std::size_t from, Is is) {
    count_ -= std::ranges::remove_if(std::span(blocks_).first(count_).subspan(from), is).size();
  }

  std::array<Block, 4> blocks_{};
  std::size_t count_ = 0;
};

}  // namespace packetsim
