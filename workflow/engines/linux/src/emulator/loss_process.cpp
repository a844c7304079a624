#include "emulator/loss_process.hpp"

namespace seawind {
namespace {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

}  // namespace

LossProcess::LossProcess(double probability, std::uint64_t seed, std::uint64_t stream)
    : probability_(probability), key_(mix(mix(seed + golden_gamma) + stream * golden_gamma)) {}

bool LossProcess::loses(std::uint64_t packet_index) const {
  const std::uint64_t bits = mix(key_ + (packet_index + 1) * golden_gamma);
  return static_cast<double>(bits >> 11) * 0x1p-53 < probability_;
}

}  // namespace seawind
