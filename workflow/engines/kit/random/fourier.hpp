// The discrete Fourier transform, with the same bytes on every machine.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace kit {

// cos and sin of the angle 2 pi index / period, to a unit in the last place or two.
std::complex<double> unit_root(std::size_t index, std::size_t period);

// Replaces x_j by sum_k x_k exp(-2 pi i j k / n); n must be a power of two.
//
// Libraries choose their algorithm by the processor (FFTW's planner, SIMD kernels, fused multiply-add) and so
// round differently from machine to machine, which would move every event of a run. This is the plain radix-2
// transform in IEEE arithmetic, in an order that suits the caches.
class FourierTransform {
 public:
  explicit FourierTransform(std::size_t size);

  // values.size() must be the transform's.
  void operator()(std::span<std::complex<double>> values) const;

 private:
  void combine(std::span<std::complex<double>> values) const;

  std::vector<std::complex<double>> roots_;  // [half + k]: the k-th of the butterflies of 2 half values
};

}  // namespace kit
