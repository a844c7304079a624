// A scheduled event.
#pragma once

#include <cstdint>

#include "kit/main/units.hpp"

namespace kit {

// Of events at the same time, the one with the smaller `order` comes first.
struct Event {
  std::uint64_t order;
  Picoseconds time;
  std::uint64_t payload;

  // Compared as one number of 128 bits: which of two events is earlier cannot be guessed, so there should be
  // no branch on it.
  bool operator<(const Event& other) const { return key() < other.key(); }

 private:
  __extension__ using Key = unsigned __int128;
  Key key() const { return static_cast<Key>(time) << 64 | order; }
};

inline constexpr Event kNoEvent = {UINT64_MAX, kNever, 0};

}  // namespace kit
