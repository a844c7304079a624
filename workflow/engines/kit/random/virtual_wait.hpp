// The virtual waiting time of a FIFO router whose load comes in slots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "kit/main/divisor.hpp"
#include "kit/main/units.hpp"
#include "kit/random/random.hpp"

namespace kit {

// Fractional Brownian load of a router (Baccelli, Hong and Liu 2001, section 7.2; Norros 1995).
struct FractionalLoad {
  double mean = 0;  // share of the router's capacity
  double sd = 0;    // of the load in a slot, as share of the capacity
  double hurst = 0.5;
  double slot_s = 0.01;            // what the standard deviation belongs to: the paper does not print it
  std::size_t period = 1U << 20U;  // slots until the load repeats itself; a power of two
};

// How long a packet that arrives now would wait: Lindley's recursion, exact between slots too, because load
// comes at a constant rate within a slot (V' = load - 1, between 0 and the buffer's limit). A slot of
// negative load, which Gaussian load has, empties the queue faster than the router does.
class VirtualWait {
 public:
  // `work` is the time that the router needs for what each slot brings. The load is periodic, and the wait
  // that of the periodic regime. Above `limit`, the buffer as time, load is lost. Throws
  // std::invalid_argument when load without limit exceeds what the router can do, or reaches it, and for
  // fewer than two slots.
  VirtualWait(std::span<const Picoseconds> work, Picoseconds slot, Picoseconds limit = kNever,
              std::uint64_t seed = 0);

  // Throws std::invalid_argument for what is no load: a mean not above 0, a negative standard deviation, a
  // Hurst parameter outside (0, 1), no slot, or a mean load that leaves nothing: above 1, or 1 without limit.
  VirtualWait(const FractionalLoad& load, Picoseconds limit, std::uint64_t seed);

  Picoseconds at(Picoseconds time) const {
    const std::int64_t number = per_slot_.quotient(time);
    return after(slot_of(number), time - number * slot_);
  }

  // The same of a packet that may be lost; kNever: it is. While the buffer is full and more comes than goes,
  // it takes in the share of the load that it lets go: each packet's luck is a number that only the seed and
  // its time decide.
  Picoseconds unless_lost(Picoseconds time) const {
    const std::int64_t number = per_slot_.quotient(time);
    const Slot& slot = slot_of(number);
    const Picoseconds wait = after(slot, time - number * slot_);
    return slot.work > slot_ && wait >= limit_ && loses(slot, time) ? kNever : wait;
  }

  // Fetches what the wait depends on into the cache.
  [[gnu::always_inline]] void prefetch(Picoseconds time) const {
    __builtin_prefetch(&slot_of(per_slot_.quotient(time)));
  }

  Picoseconds period() const { return slot_ * static_cast<Picoseconds>(slots_.size()); }

 private:
  struct Slot {
    Picoseconds work;
    Picoseconds wait;  // at its beginning
  };

  // The slot of that number, counted from time 0.
  const Slot& slot_of(std::int64_t number) const {
    const auto slots = static_cast<std::int64_t>(slots_.size());
    return slots_[static_cast<std::size_t>(number - per_period_.quotient(number) * slots)];
  }

  // The wait `elapsed` after the beginning of a slot.
  Picoseconds after(const Slot& slot, Picoseconds elapsed) const {
    return std::clamp<Picoseconds>(slot.wait + brought(slot.work, elapsed) - elapsed, 0, limit_);
  }

  // work * elapsed / slot_, rounded towards 0: a quotient of 128 bits, which takes as long as all the rest.
  // In floating point it is wrong by less than 1, which the remainder shows: of that 64 bits are enough.
  Picoseconds brought(Picoseconds work, Picoseconds elapsed) const {
    const auto low = [](Picoseconds a, Picoseconds b) {
      return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
    };
    const Picoseconds size = std::abs(work);
    auto quotient = static_cast<Picoseconds>(static_cast<double>(size) * static_cast<double>(elapsed) /
                                             static_cast<double>(slot_));
    const auto remainder = static_cast<Picoseconds>(low(size, elapsed) - low(quotient, slot_));
    quotient += (remainder >= slot_) - (remainder < 0);
    return work < 0 ? -quotient : quotient;
  }

  // Whether one of the packets that a full buffer meets in this slot is lost.
  bool loses(const Slot& slot, Picoseconds time) const {
    const double lost = 1 - static_cast<double>(slot_) / static_cast<double>(slot.work);
    return Random(seed_ ^ static_cast<std::uint64_t>(time), Stream::kBackboneLosses).uniform() <= lost;
  }

  std::vector<Slot> slots_;
  Picoseconds slot_;
  Divisor per_slot_;
  Divisor per_period_;  // of slots
  Picoseconds limit_;
  std::uint64_t seed_;
};

}  // namespace kit
