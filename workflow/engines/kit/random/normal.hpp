// Normal and lognormal variables.
#pragma once

#include <cmath>

#include "kit/random/portable_math.hpp"
#include "kit/random/random.hpp"

namespace kit {

// Standard normal variables in pairs by Marsaglia's polar method: a logarithm and a square root, which IEEE
// 754 rounds exactly, so that a seed gives the same bytes everywhere.
class Normals {
 public:
  explicit Normals(Random random) : random_(random) {}

  double draw() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * random_.uniform() - 1;
      y = 2 * random_.uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double scale = std::sqrt(-2 * portable_log(square) / square);
    second_ = y * scale;
    has_second_ = true;
    return x * scale;
  }

  // Uniform on (0, 1], from the same stream.
  double uniform() { return random_.uniform(); }

 private:
  Random random_;
  double second_ = 0;
  bool has_second_ = false;
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
