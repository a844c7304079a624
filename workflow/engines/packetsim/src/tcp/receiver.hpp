// A TCP receiver that acknowledges every packet cumulatively.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kit.hpp"

namespace packetsim {

// Where a packet lies among those that have come.
enum class Order : std::uint8_t {
  kNext,    // it is the next one, and nothing beyond it has come
  kFills,   // it is the next one
  kBeyond,  // one before it has not come
  kAgain,   // it and all before it have come
};

// How a packet comes to a receiver that may let its acknowledgement wait.
struct Arrival {
  Picoseconds received = 0;
  Order order = Order::kAgain;
  std::int32_t packet = 0;
  std::int32_t missing = 0;   // the first that had not come before it
  bool selective = false;     // the receiver tells of what has come beyond a hole
  bool mark_changes = false;  // it brings another mark than the last one, and no acknowledgement is of both
  bool tells_of_cut = false;  // the sender has reduced its window (CWR)
  bool urges = false;         // see EcnReceiver
  bool ends_file = false;     // the last packet that the sender has
};

// Which packets have come, from the first missing one onwards. Those beyond it are bits in a ring as long as
// the receiver's window, which no sender may exceed.
class Receiver {
 public:
  void start() {
    if (out_of_order() > 0) {  // the last transfer was left with bits set
      std::ranges::fill(arrived_, 0);
    }
    state_ = 1;
  }

  // Whether the packet has come.
  bool has(std::int32_t packet) const { return packet < expected() || (out_of_order() > 0 && test(packet)); }

  Order order_of(std::int32_t packet) const {
    if (packet == expected()) {
      return out_of_order() == 0 ? Order::kNext : Order::kFills;
    }
    return packet < expected() ? Order::kAgain : Order::kBeyond;
  }
  // The first packet that has not come.
  std::int32_t missing() const { return expected(); }

  // Takes a packet and returns the acknowledgement: the number of the first packet still missing.
  [[gnu::always_inline]] std::int32_t receive(std::int32_t packet) {
    if (state_ == static_cast<std::uint32_t>(packet)) [[likely]] {
      return static_cast<std::int32_t>(++state_);
    }
    return receive_out_of_order(packet);
  }

 private:
  friend class ReceiverPool;

  static constexpr std::uint64_t kOneOutOfOrder = std::uint64_t{1} << 32;

  [[gnu::noinline]] std::int32_t receive_out_of_order(std::int32_t packet) {
    if (packet < expected() || test(packet)) {
      return expected();
    }
    flip(packet);
    state_ += kOneOutOfOrder;
    while (out_of_order() > 0 && test(expected())) {
      flip(expected());
      state_ += 1 - kOneOutOfOrder;
    }
    return expected();
  }

  std::int32_t expected() const { return static_cast<std::int32_t>(state_ & 0xffffffff); }
  std::uint64_t out_of_order() const { return state_ >> 32; }

  std::size_t bit(std::int32_t packet) const {
    return static_cast<std::size_t>(packet) & (arrived_.size() * 64 - 1);
  }
  bool test(std::int32_t packet) const { return arrived_[bit(packet) / 64] >> (bit(packet) % 64) & 1; }
  void flip(std::int32_t packet) { arrived_[bit(packet) / 64] ^= std::uint64_t{1} << (bit(packet) % 64); }

  std::span<std::uint64_t> arrived_;
  std::uint64_t state_ = 1;  // expected packet and number of those beyond it, compared as one
};

// Owns the rings of all receivers in one block.
class ReceiverPool {
 public:
  ReceiverPool(std::size_t receivers, std::int32_t rwnd)
      : words_each_(std::bit_ceil((static_cast<std::size_t>(rwnd) + 63) / 64)),
        words_(receivers * words_each_, 0) {}

  void give_ring_to(Receiver& receiver, std::size_t index) {
    receiver.arrived_ = std::span(words_).subspan(index * words_each_, words_each_);
  }

 private:
  std::size_t words_each_;
  std::vector<std::uint64_t> words_;
};

}  // namespace packetsim
