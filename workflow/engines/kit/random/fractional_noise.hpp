// Fractional Gaussian noise: the increments of fractional Brownian motion.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kit {

// Autocovariance at `lag` of the noise with variance 1: (|k+1|^2H - 2 |k|^2H + |k-1|^2H) / 2.
double noise_autocovariance(double hurst, std::size_t lag);

// The linear map of the circulant embedding (Davies and Harte 1987; Dietrich and Newsam 1997): independent
// standard normal real and imaginary parts become a stationary periodic sequence, whose covariance is the
// noise's up to lag period / 2, and by symmetry beyond. The eigenvalues of this embedding are never negative
// (Perrin et al. 2002; Craigmile 2003), so nothing is approximated. The period, normals.size(), must be a
// power of two, the Hurst parameter in (0, 1).
std::vector<double> noise_from(double hurst, std::span<const std::complex<double>> normals);

// One period of noise with mean 0 and variance 1. Throws std::invalid_argument for a Hurst parameter outside
// (0, 1) or a period that is not a power of two.
std::vector<double> fractional_noise(double hurst, std::size_t period, std::uint64_t seed);

}  // namespace kit
