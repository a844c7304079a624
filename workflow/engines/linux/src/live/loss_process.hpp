#pragma once

#include <cstdint>

#include "kit/random/random.hpp"

namespace linux_engine {

// Bernoulli loss of the packets of one direction. The n-th packet with data is lost where the simulators,
// with the same seed, lose their n-th at the bottleneck, so that a kernel's TCP and theirs meet the same
// drops. Packets without data, which no simulator sends there, have draws of their own.
class LossProcess {
 public:
  // `stream` is 0 for the sender's direction; another one is independent of it.
  LossProcess(double probability, std::uint64_t seed, std::uint64_t stream);

  // Whether the next packet is lost.
  bool loses(bool carries_data) { return (carries_data ? data_ : others_).uniform() <= probability_; }

 private:
  double probability_;
  kit::Random data_, others_;
};

}  // namespace linux_engine
