#include "fourier.hpp"

#include <numbers>
#include <utility>
#include <vector>

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

void fourier_transform(std::span<Complex> values) {
  const std::size_t n = values.size();
  std::vector<Complex> roots(n / 2);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    roots[k] = std::conj(unit_root(k, n));
  }
  reverse_bits_of_indices(values);
  for (std::size_t half = 1; half < n; half *= 2) {
    const std::size_t stride = n / (2 * half);
    for (std::size_t block = 0; block < n; block += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const Complex root = roots[k * stride];
        const Complex even = values[block + k];
        const Complex odd = values[block + k + half];
        // Written out: the operator also looks for infinities.
        const Complex turned = {odd.real() * root.real() - odd.imag() * root.imag(),
                                odd.real() * root.imag() + odd.imag() * root.real()};
        values[block + k] = even + turned;
        values[block + k + half] = even - turned;
      }
    }
  }
}

}  // namespace kit
