#include "live/loss_process.hpp"

namespace linux_engine {
namespace {

// Tells the seeds of the uses apart. Those of neighbouring runs may differ in their lowest bits only.
constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15U;

kit::Random draws(std::uint64_t seed, std::uint64_t use) {
  return {seed ^ (use * kGoldenGamma), kit::Stream::kLinkLoss};
}

}  // namespace

LossProcess::LossProcess(double probability, std::uint64_t seed, std::uint64_t stream)
    : probability_(probability), data_(draws(seed, 2 * stream)), others_(draws(seed, 2 * stream + 1)) {}

}  // namespace linux_engine
