// The generator (xoshiro256++ of Blackman and Vigna) and its independent streams.
//
// <random> leaves the algorithms of its distributions to the library, so that a seed would give other bytes
// elsewhere.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kit/random/portable_math.hpp"

namespace kit {

enum class Stream : std::uint64_t {
  kFileSize = 1,
  kOffTime = 2,
  kLinkLoss = 3,
  kStart = 4,
  kCrossTraffic = 5,
  kTies = 6,
  kDrops = 7,
  kPhases = 8,
  kHash = 9,
  kLinkDelay = 10,
  kReturnLoss = 11,
  // of a local loop
  kBursts = 64,
  kThinkTimes,
  kCrossFlows,
  kBackbone,
  kBackboneLosses,
  kUserStarts
};

// What the generator of a stream starts from.
constexpr std::uint64_t stream_seed(std::uint64_t seed, Stream stream) {
  return seed ^ (static_cast<std::uint64_t>(stream) * 0xd1342543de82ef95ULL);
}

class Random {
 public:
  // One stream per use: what one use draws does not move the others.
  Random(std::uint64_t seed, Stream stream) {
    std::uint64_t state = stream_seed(seed, stream);
    for (auto& word : state_) {
      word = splitmix64(state);
    }
  }

  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform on (0, 1]: never 0, so that its logarithm exists.
  double uniform() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }

  // Exponential with mean 1.
  double exponential() { return -portable_log(uniform()); }

 private:
  static std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

// Exponential variables with mean 1, a block at a time: a logarithm is a chain of operations that wait for
// one another, those of a block overlap. The values are those that Random gives one by one.
class Exponentials {
 public:
  Exponentials(std::uint64_t seed, Stream stream) : random_(seed, stream) {}

  double exponential() {
    if (next_ == block_.size()) [[unlikely]] {
      draw_block();
    }
    return block_[next_++];
  }

 private:
  [[gnu::noinline]] void draw_block() {
    for (double& value : block_) {
      value = random_.uniform();
    }
    for (double& value : block_) {
      value = -portable_log(value);
    }
    next_ = 0;
  }

  Random random_;
  std::array<double, 32> block_{};
  std::size_t next_ = block_.size();
};

}  // namespace kit
