#include "kit/random/distributions.hpp"

namespace kit {

FileSizeSampler::FileSizeSampler(const FileSize& file_size)
    : fixed_(file_size.distribution == FileSize::Distribution::kFixed),
      pareto_(file_size.distribution == FileSize::Distribution::kExponentialPareto),
      fixed_packets_(static_cast<std::int32_t>(file_size.mean_packets)),
      minimum_(file_size.minimum_packets) {
  const double above_minimum = file_size.mean_packets - minimum_;
  const double share = file_size.tail_share;
  switch (file_size.distribution) {
    case FileSize::Distribution::kFixed:
    case FileSize::Distribution::kExponential:
    case FileSize::Distribution::kLognormal:  // not drawn here
      body_mean_ = above_minimum;
      tail_threshold_ = HUGE_VAL;
      return;
    case FileSize::Distribution::kExponentialPareto:
      tail_threshold_ = -portable_log(share);
      tail_index_ = file_size.tail_index;
      body_mean_ = (above_minimum - minimum_ * share / (tail_index_ - 1)) /
                   (1 - share + share * tail_threshold_ / (tail_index_ - 1));
      break;
    case FileSize::Distribution::kExponentialExponential:
      tail_threshold_ = -portable_log(share);
      tail_mean_ = file_size.tail_mean_ratio * file_size.mean_packets;
      body_mean_ = (above_minimum - tail_mean_ * share) / (1 - share);
      break;
  }
  tail_start_ = minimum_ + body_mean_ * tail_threshold_;
}

}  // namespace kit
