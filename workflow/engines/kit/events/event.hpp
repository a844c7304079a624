// A scheduled event.
#pragma once

#include <cstdint>

#include "kit/main/units.hpp"

namespace kit {

// `cause`: when whatever led to the event happened, or any other number that orders events of the same time.
struct Event {
  Picoseconds time;
  Picoseconds cause;
  std::uint64_t payload;

  // Compared as one number of 128 bits: which of two events is earlier cannot be guessed, so there should be
  // no branch on it.
  bool operator<(const Event& other) const { return key() < other.key(); }

 private:
  __extension__ using Key = unsigned __int128;
  Key key() const { return static_cast<Key>(time) << 64 | static_cast<std::uint64_t>(cause); }
};

inline constexpr Event kNoEvent = {kNever, kNever, 0};

}  // namespace kit
