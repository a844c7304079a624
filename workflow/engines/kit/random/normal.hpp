// Normal and lognormal variables.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kit/random/portable_math.hpp"
#include "kit/random/random.hpp"

namespace kit {

// What the ziggurat of Marsaglia and Tsang (2000) is made of: layers of the same area that cover exp(-x^2 /
// 2), of which the lowest has the tail beyond kTail.
struct NormalLayers {
  static constexpr std::size_t kCount = 256;
  static constexpr double kTail = 3.6541528853610088;
  static constexpr double kArea = 0.0049286732339746545;

  std::array<double, kCount + 1> width{};   // of each layer; of the lowest as if it were a rectangle
  std::array<double, kCount + 1> height{};  // at which each layer begins

  NormalLayers() {
    const auto curve = [](double x) { return portable_exp(-x * x / 2); };
    width[0] = kArea / curve(kTail);
    width[1] = kTail;
    height[1] = curve(kTail);
    for (std::size_t i = 2; i <= kCount; ++i) {
      height[i] = height[i - 1] + kArea / width[i - 1];
      width[i] = i < kCount ? std::sqrt(-2 * portable_log(height[i])) : 0;
    }
  }
};

// Standard normal variables by the ziggurat: 99 of 100 take a multiplication and a comparison. The square
// root, which IEEE 754 rounds exactly, and portable logarithms and exponentials make a seed give the same
// bytes everywhere.
class Normals {
 public:
  explicit Normals(Random random) : random_(random) {}

  double draw() {
    while (true) {
      const std::uint64_t bits = random_.bits();
      const auto layer = static_cast<std::size_t>(bits % NormalLayers::kCount);
      // Uniform on [-1, 1), from other bits than the layer.
      const double x =
          static_cast<double>(static_cast<std::int64_t>(bits) >> 10) * 0x1p-53 * layers_.width[layer];
      if (std::abs(x) < layers_.width[layer + 1]) [[likely]] {
        return x;
      }
      if (layer == 0) {
        return std::copysign(draw_tail(), x);
      }
      const double low = layers_.height[layer];
      if (low + (layers_.height[layer + 1] - low) * random_.uniform() < portable_exp(-x * x / 2)) {
        return x;
      }
    }
  }

  // Uniform on (0, 1], from the same stream.
  double uniform() { return random_.uniform(); }

 private:
  // Beyond kTail the normal law is an exponential one from which what is too far out is rejected.
  double draw_tail() {
    while (true) {
      const double beyond = random_.exponential() / NormalLayers::kTail;
      if (2 * random_.exponential() >= beyond * beyond) {
        return NormalLayers::kTail + beyond;
      }
    }
  }

  inline static const NormalLayers layers_;

  Random random_;
};

// Lognormal variables of a given mean and standard deviation; with a deviation of 0 the constant.
class Lognormal {
 public:
  Lognormal(double mean, double sd)
      : mean_(mean),
        shape_(std::sqrt(portable_log(1 + (sd / mean) * (sd / mean)))),
        location_(portable_log(mean) - shape_ * shape_ / 2) {}

  double draw(Normals& normals) const {
    return shape_ == 0 ? mean_ : portable_exp(location_ + shape_ * normals.draw());
  }

  // What is left of a variable at a point in time of the stationary renewal process: a uniform share of the
  // one that covers it, which is chosen in proportion to its length and so lognormal with a location shape^2
  // higher.
  double draw_residual(Normals& normals) const {
    const double whole =
        shape_ == 0 ? mean_ : portable_exp(location_ + shape_ * shape_ + shape_ * normals.draw());
    return whole * normals.uniform();
  }

 private:
  double mean_;
  double shape_;     // standard deviation of the logarithm
  double location_;  // mean of the logarithm
};

}  // namespace kit
