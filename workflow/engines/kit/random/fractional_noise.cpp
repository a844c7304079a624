#include "fractional_noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "fourier.hpp"
#include "normal.hpp"

namespace kit {
namespace {

using Complex = std::complex<double>;

double power(double base, double exponent) {
  return base == 0 ? 0 : portable_exp(exponent * portable_log(base));
}

// sqrt of the eigenvalues of the circulant matrix: the transform of its first row.
std::vector<Complex> square_roots_of_eigenvalues(double hurst, std::size_t period,
                                                 const FourierTransform& transform) {
  std::vector<Complex> row(period);
  for (std::size_t k = 0; k <= period / 2; ++k) {
    row[k] = row[(period - k) % period] = noise_autocovariance(hurst, k);
  }
  transform(row);
  for (Complex& value : row) {
    value = std::sqrt(std::max(value.real(), 0.0));  // rounding may leave -1e-17 for 0
  }
  return row;
}

}  // namespace

double noise_autocovariance(double hurst, std::size_t lag) {
  const double k = static_cast<double>(lag);
  const double exponent = 2 * hurst;
  if (lag < 4) {
    return (power(k + 1, exponent) + power(std::fabs(k - 1), exponent)) / 2 - power(k, exponent);
  }
  // A difference of near equals loses digits, at large lags all of them: the binomial series of
  // k^2H ((1 + 1/k)^2H + (1 - 1/k)^2H - 2) / 2, whose terms fall by 16 or more.
  double term = 1;
  double sum = 0;
  for (int j = 1; j <= 28; ++j) {
    term *= (exponent - j + 1) / j / k;
    if (j % 2 == 0) {
      const double before = std::exchange(sum, sum + term);
      if (sum == before) {
        break;  // all that follow are smaller
      }
    }
  }
  return power(k, exponent) * sum;
}

std::vector<double> noise_from(double hurst, std::span<const Complex> normals) {
  const std::size_t period = normals.size();
  const FourierTransform transform(period);
  std::vector<Complex> spectrum = square_roots_of_eigenvalues(hurst, period, transform);
  for (std::size_t k = 0; k < period; ++k) {
    spectrum[k] = spectrum[k].real() * normals[k];
  }
  transform(spectrum);
  // The imaginary part would be a second, independent path.
  std::vector<double> noise(period);
  const double scale = 1 / std::sqrt(static_cast<double>(period));
  std::transform(spectrum.begin(), spectrum.end(), noise.begin(),
                 [scale](const Complex& value) { return value.real() * scale; });
  return noise;
}

std::vector<double> fractional_noise(double hurst, std::size_t period, std::uint64_t seed) {
  if (!(hurst > 0 && hurst < 1)) {
    throw std::invalid_argument("Hurst parameter must lie between 0 and 1, both excluded");
  }
  if (!std::has_single_bit(period)) {
    throw std::invalid_argument("period of fractional noise must be a power of two");
  }
  Normals normals(Random(seed, Stream::kBackbone));
  std::vector<Complex> white(period);
  for (Complex& value : white) {
    const double real = normals.draw();
    value = {real, normals.draw()};
  }
  return noise_from(hurst, white);
}

}  // namespace kit
