#include "kit/random/distributions.hpp"

namespace kit {

FileSizeSampler::FileSizeSampler(const FileSize& file_size)
    : exponential_(file_size.distribution != FileSize::Distribution::kFixed &&
                   file_size.distribution != FileSize::Distribution::kLognormal),
      pareto_(file_size.distribution == FileSize::Distribution::kExponentialPareto),
      fixed_packets_(static_cast<std::int32_t>(file_size.mean_packets)),
      minimum_(file_size.minimum_packets) {
  const double above_minimum = file_size.mean_packets - minimum_;
  const double share = file_size.tail_share;
  switch (file_size.distribution) {
    case FileSize::Distribution::kFixed:
      return;
    case FileSize::Distribution::kLognormal:
      lognormal_.emplace(file_size.mean_packets, file_size.standard_deviation_packets);
      return;
    case FileSize::Distribution::kExponential:
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

OffTimeSampler::OffTimeSampler(const OffTime& off_time)
    : exponential_(off_time.distribution == OffTime::Distribution::kExponential), mean_s_(off_time.mean_s) {
  if (off_time.distribution == OffTime::Distribution::kLognormal && off_time.mean_s > 0) {
    lognormal_.emplace(off_time.mean_s, off_time.standard_deviation_s);
  }
}

Picoseconds OffTimeSampler::draw_residual(Draws& random) const {
  if (lognormal_) {
    return pause_of(lognormal_->draw_residual(random.normals()));
  }
  // Memoryless, or uniform over the constant.
  return exponential_ ? draw(random) : picoseconds(mean_s_ * random.normals().uniform());
}

}  // namespace kit
