// File sizes and OFF times of sources.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/normal.hpp"
#include "kit/random/random.hpp"

namespace kit {

// The variables that sizes or times are made of: exponential ones with mean 1, and normal ones, of a stream
// each. Normal ones have those of a local loop's users: on both topologies a seed gives the same lognormal
// sizes and times.
class Draws : public Exponentials {
 public:
  static Draws of_sizes(std::uint64_t seed) { return {seed, Stream::kFileSize, Stream::kBursts}; }
  static Draws of_times(std::uint64_t seed) { return {seed, Stream::kOffTime, Stream::kThinkTimes}; }

  Normals& normals() { return normals_; }

 private:
  Draws(std::uint64_t seed, Stream exponentials, Stream normals)
      : Exponentials(seed, exponentials), normals_(Random(seed, normals)) {}

  Normals normals_;
};

// Draws file sizes in packets (Zaragoza 2014, section 3.2): a minimum A plus an exponential body of mean B up
// to the size k that a share H of the files exceeds, and beyond k a tail of its own; or a lognormal size.
// Sizes are rounded to the nearest packet.
class FileSizeSampler {
 public:
  explicit FileSizeSampler(const FileSize& file_size);

  std::int32_t draw(Draws& random) const {
    if (!exponential_) {
      return lognormal_ ? whole(std::max(lognormal_->draw(random.normals()), 1.0)) : fixed_packets_;
    }
    const double body = random.exponential();
    double size = minimum_ + body_mean_ * body;
    // The excess of an exponential variable over a threshold is exponential again, so one draw serves body
    // and tail.
    if (body > tail_threshold_) {
      const double excess = body - tail_threshold_;
      size = pareto_ ? tail_start_ * portable_exp(excess / tail_index_) : tail_start_ + tail_mean_ * excess;
    }
    return whole(size);
  }

 private:
  // A Pareto tail has no end; this one is reached once in about 10^13 files.
  static constexpr double kLargest = 2e9;

  static std::int32_t whole(double size) {
    return static_cast<std::int32_t>(rounded(size < kLargest ? size : kLargest));
  }

  bool exponential_ = true;
  bool pareto_ = false;
  std::int32_t fixed_packets_ = 0;
  double minimum_ = 0;         // A
  double body_mean_ = 0;       // B
  double tail_threshold_ = 0;  // -ln H, in units of the body's mean
  double tail_start_ = 0;      // k
  double tail_index_ = 0;      // alpha
  double tail_mean_ = 0;       // C
  std::optional<Lognormal> lognormal_;
};

// A pause on the clock. Lognormal ones have no bound; the longest end after the clock does.
inline Picoseconds pause_of(double seconds) { return picoseconds(std::min(seconds, 4.6e6)); }

class OffTimeSampler {
 public:
  explicit OffTimeSampler(const OffTime& off_time);

  Picoseconds draw(Draws& random) const {
    if (exponential_) {
      return picoseconds(mean_s_ * random.exponential());
    }
    return lognormal_ ? pause_of(lognormal_->draw(random.normals())) : picoseconds(mean_s_);
  }

  // What is left of an off time where a source is found in one: its equilibrium law.
  Picoseconds draw_residual(Draws& random) const;

  // Of the first off time; only with http may it be what is left of one.
  Picoseconds draw_first(const Workload& workload, Draws& random) const {
    const bool residual =
        workload.kind == Workload::Kind::kHttp && workload.first_think == Workload::FirstThink::kEquilibrium;
    return residual ? draw_residual(random) : draw(random);
  }

 private:
  bool exponential_;
  double mean_s_;
  std::optional<Lognormal> lognormal_;
};

// How long after the beginning of the run a source begins, besides its off time; nothing is drawn without a
// spread.
inline Picoseconds draw_start(double spread_s, Random& random) {
  return spread_s > 0 ? picoseconds(spread_s * random.uniform()) : 0;
}

}  // namespace kit
