// File sizes and OFF times of on-off sources.
#pragma once

#include <cmath>
#include <cstdint>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/random.hpp"

namespace kit {

// Draws file sizes in packets (Zaragoza 2014, section 3.2): a minimum A plus an exponential body of mean B up
// to the size k that a share H of the files exceeds, and beyond k a tail of its own. Sizes are rounded to the
// nearest packet.
class FileSizeSampler {
 public:
  explicit FileSizeSampler(const FileSize& file_size);

  // `Source` gives exponential variables with mean 1: Random or Exponentials.
  template <class Source>
  std::int32_t draw(Source& random) const {
    if (fixed_) {
      return fixed_packets_;
    }
    const double body = random.exponential();
    double size = minimum_ + body_mean_ * body;
    // The excess of an exponential variable over a threshold is exponential again, so one draw serves body
    // and tail.
    if (body > tail_threshold_) {
      const double excess = body - tail_threshold_;
      size = pareto_ ? tail_start_ * portable_exp(excess / tail_index_) : tail_start_ + tail_mean_ * excess;
    }
    return static_cast<std::int32_t>(rounded(size < kLargest ? size : kLargest));
  }

 private:
  // A Pareto tail has no end; this one is reached once in about 10^13 files.
  static constexpr double kLargest = 2e9;

  bool fixed_ = false;
  bool pareto_ = false;
  std::int32_t fixed_packets_ = 0;
  double minimum_ = 0;         // A
  double body_mean_ = 0;       // B
  double tail_threshold_ = 0;  // -ln H, in units of the body's mean
  double tail_start_ = 0;      // k
  double tail_index_ = 0;      // alpha
  double tail_mean_ = 0;       // C
};

template <class Source>
Picoseconds draw_off_time(const OffTime& off_time, Source& random) {
  return off_time.distribution == OffTime::Distribution::kExponential
             ? picoseconds(off_time.mean_s * random.exponential())
             : picoseconds(off_time.mean_s);
}

// How long after the beginning of the run a source begins, besides its off time; nothing is drawn without a
// spread.
inline Picoseconds draw_start(double spread_s, Random& random) {
  return spread_s > 0 ? picoseconds(spread_s * random.uniform()) : 0;
}

}  // namespace kit
