#pragma once

#include <cstdint>

namespace seawind {

// Bernoulli loss: whether the n-th packet of a stream is lost depends on the seed, the stream and n alone, so
// that two runs that send different packets still meet the same pattern of losses.
class LossProcess {
 public:
  LossProcess(double probability, std::uint64_t seed, std::uint64_t stream);

  bool loses(std::uint64_t packet_index) const;

 private:
  double probability_;
  std::uint64_t key_;
};

}  // namespace seawind
