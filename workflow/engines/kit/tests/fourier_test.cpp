// The transform against its definition, and its roots against the C library's.

#include "kit/random/fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "kit/random/normal.hpp"

namespace kit {
namespace {

using Complex = std::complex<double>;

TEST(UnitRoot, IsThePointOnTheCircle) {
  constexpr std::size_t kPeriod = 1U << 12U;
  for (std::size_t index = 0; index < kPeriod; ++index) {
    // In extended precision: a double's rounding of the angle alone is 4e-16.
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(index) / kPeriod;
    ASSERT_NEAR(unit_root(index, kPeriod).real(), static_cast<double>(std::cos(angle)), 2.3e-16) << index;
    ASSERT_NEAR(unit_root(index, kPeriod).imag(), static_cast<double>(std::sin(angle)), 2.3e-16) << index;
  }
  EXPECT_EQ(unit_root(1, 4), Complex(0, 1));
  EXPECT_EQ(unit_root(1, 2), Complex(-1, 0));
}

TEST(FourierTransform, AgreesWithItsDefinition) {
  Normals normals(Random(1, Stream::kUserStarts));
  for (std::size_t n = 1; n <= 256; n *= 2) {
    std::vector<Complex> values(n);
    for (Complex& value : values) {
      value = {normals.draw(), normals.draw()};
    }
    std::vector<Complex> transformed = values;
    FourierTransform{n}(transformed);
    for (std::size_t j = 0; j < n; ++j) {
      Complex sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
        sum += values[k] * std::polar(1.0, angle);
      }
      ASSERT_LT(std::abs(transformed[j] - sum), 1e-12) << "n " << n << ", j " << j;
    }
  }
}

TEST(FourierTransform, ConservesEnergyAtTheSizeThatIsUsed) {
  constexpr std::size_t kSize = 1U << 18U;
  Normals normals(Random(2, Stream::kUserStarts));
  std::vector<Complex> values(kSize);
  double before = 0;
  for (Complex& value : values) {
    value = {normals.draw(), normals.draw()};
    before += std::norm(value);
  }
  FourierTransform{kSize}(values);
  double after = 0;
  for (const Complex& value : values) {
    after += std::norm(value);
  }
  EXPECT_NEAR(after / kSize / before, 1, 1e-13);
}

}  // namespace
}  // namespace kit
