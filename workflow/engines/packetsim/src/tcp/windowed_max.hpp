// The largest of the values of the last rounds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace packetsim {

// Values are not negative. What is too old goes when the next value comes, not before: a round without
// values forgets nothing.
template <std::size_t kRounds>
class WindowedMax {
 public:
  double value() const { return largest_; }

  // `round` never falls.
  void update(double value, std::int64_t round) {
    if (round != round_) {
      const std::int64_t forgotten = std::min<std::int64_t>(round - round_, kRounds);
      for (std::int64_t back = 0; back < forgotten; ++back) {
        of(round - back) = 0;
      }
      round_ = round;
      of(round) = value;
      largest_ = *std::ranges::max_element(rounds_);
    } else if (value > of(round)) {
      of(round) = value;
      largest_ = std::max(largest_, value);
    }
  }

 private:
  double& of(std::int64_t round) { return rounds_[static_cast<std::size_t>(round) % kRounds]; }

  std::array<double, kRounds> rounds_{};  // the largest of each round
  double largest_ = 0;
  std::int64_t round_ = 0;
};

}  // namespace packetsim
