#include "fourier.hpp"

#include <numbers>
#include <utility>

namespace kit {
namespace {

using Complex = std::complex<double>;

// Taylor series for an angle in [0, pi / 4]: eleven terms each reach 1e-17.
Complex small_root(double angle) {
  const double square = angle * angle;
  double cosine = 1;
  double sine = 1;
  for (int k = 20; k >= 2; k -= 2) {
    cosine = 1 - square / (k * (k - 1)) * cosine;
    sine = 1 - square / (k * (k + 1)) * sine;
  }
  return {cosine, sine * angle};
}

void reverse_bits_of_indices(std::span<Complex> values) {
  for (std::size_t i = 0, reversed = 0; i < values.size(); ++i) {
    if (i < reversed) {
      std::swap(values[i], values[reversed]);
    }
    std::size_t bit = values.size() >> 1;
    for (; (reversed & bit) != 0; bit >>= 1) {
      reversed ^= bit;
    }
    reversed |= bit;
  }
}

void butterfly(Complex& even, Complex& odd, Complex root) {
  // Written out: the operator also looks for infinities.
  const Complex turned = {odd.real() * root.real() - odd.imag() * root.imag(),
                          odd.real() * root.imag() + odd.imag() * root.real()};
  odd = even - turned;
  even += turned;
}

}  // namespace

Complex unit_root(std::size_t index, std::size_t period) {
  // Quadrants and their halves are told apart in integers, so that the angle that is left is exact to
  // rounding.
  const std::size_t quarters = 4 * (index % period);
  const std::size_t quadrant = quarters / period;
  const std::size_t rest = quarters % period;  // of a quadrant, in units of 1 / period
  const auto angle = [&](std::size_t part) {
    return std::numbers::pi / 2 * static_cast<double>(part) / static_cast<double>(period);
  };
  Complex root;
  if (2 * rest <= period) {
    root = small_root(angle(rest));
  } else {
    const Complex mirrored = small_root(angle(period - rest));
    root = {mirrored.imag(), mirrored.real()};
  }
  switch (quadrant) {
    case 0:
      return root;
    case 1:
      return {-root.imag(), root.real()};
    case 2:
      return {-root.real(), -root.imag()};
    default:
      return {root.imag(), -root.real()};
  }
}

FourierTransform::FourierTransform(std::size_t size) : roots_(size) {
  for (std::size_t k = 0; k < size / 2; ++k) {
    roots_[size / 2 + k] = std::conj(unit_root(k, size));
  }
  for (std::size_t i = size / 2; i-- > 1;) {
    roots_[i] = roots_[2 * i];
  }
}

void FourierTransform::operator()(std::span<Complex> values) const {
  reverse_bits_of_indices(values);
  combine(values);
}

// Quarter by quarter, so that what fits into a cache is finished there, and then two stages of butterflies at
// once.
void FourierTransform::combine(std::span<Complex> values) const {
  if (values.size() < 4) {
    if (values.size() == 2) {
      butterfly(values[0], values[1], roots_[1]);
    }
    return;
  }
  const std::size_t quarter = values.size() / 4;
  for (std::size_t i = 0; i < 4; ++i) {
    combine(values.subspan(i * quarter, quarter));
  }
  for (std::size_t k = 0; k < quarter; ++k) {
    Complex* const value = &values[k];
    butterfly(value[0], value[quarter], roots_[quarter + k]);
    butterfly(value[2 * quarter], value[3 * quarter], roots_[quarter + k]);
    butterfly(value[0], value[2 * quarter], roots_[2 * quarter + k]);
    butterfly(value[quarter], value[3 * quarter], roots_[3 * quarter + k]);
  }
}

}  // namespace kit
