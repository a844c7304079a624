// Logarithm and exponential from additions, multiplications and divisions alone.
//
// The C library's own differ in the last bit between versions, and one bit is enough to change every event
// after it. IEEE arithmetic does not differ, so these give the same bytes everywhere. Errors stay below 1e-15
// relative.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kit {

// Natural logarithm of a positive, finite, normal number.
inline double portable_log(double x) {
  constexpr double kLn2 = 0.693147180559945309417232121458;
  // Taken apart into a mantissa from sqrt(1/2) to sqrt(2) and an exponent, which is exact; without a branch,
  // a comparison or a call, so that the compiler computes several at once.
  constexpr std::uint64_t kOne = std::bit_cast<std::uint64_t>(1.0);
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = (bits + (kOne - std::bit_cast<std::uint64_t>(0.707106781186547524))) >> 52;
  const auto mantissa = std::bit_cast<double>(bits - (biased << 52) + kOne);
  const double exponent = std::bit_cast<double>(biased | 0x4330000000000000) - (0x1p52 + 1023);
  // log(m) = 2 artanh(z), z = (m - 1) / (m + 1), |z| < 0.172: eleven terms reach 1e-17.
  const double z = (mantissa - 1) / (mantissa + 1);
  const double z2 = z * z;
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) {
    sum = sum * z2 + 1.0 / k;
  }
  return 2 * z * sum + exponent * kLn2;
}

inline constexpr auto kInverseFactorials = [] {
  std::array<double, 16> inverses{};
  double factorial = 1;  // exact
  for (std::size_t k = 0; k < inverses.size(); ++k) {
    factorial *= k > 0 ? static_cast<double>(k) : 1;
    inverses[k] = 1 / factorial;
  }
  return inverses;
}();

// e^x for |x| < 700.
inline double portable_exp(double x) {
  constexpr double kLn2High = 6.93147180369123816490e-01;  // the split keeps x - n ln 2 exact to the last bit
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  const double shifted = x / (kLn2High + kLn2Low) + 0.5;
  const auto whole = static_cast<std::int64_t>(shifted);
  const std::int64_t exponent = whole - (static_cast<double>(whole) > shifted ? 1 : 0);
  const auto n = static_cast<double>(exponent);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| < 0.347: fifteen terms reach 1e-17
  // Even and odd powers apart, which do not wait for one another.
  const double square = r * r;
  double even = 0;
  double odd = 0;
  for (std::size_t k = kInverseFactorials.size(); k > 0; k -= 2) {
    odd = odd * square + kInverseFactorials[k - 1];
    even = even * square + kInverseFactorials[k - 2];
  }
  const double sum = even + odd * r;
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);  // exact
}

}  // namespace kit
