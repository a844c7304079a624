#include "kit/main/divisor.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kit {
namespace {

TEST(Divisor, IsExactForAllDividends) {
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  };
  for (int i = 0; i < 200'000; ++i) {
    // Divisors and dividends of all lengths, as far as 62 and 63 bits go.
    const std::int64_t divisor = 2 + below(std::int64_t{1} << (i % 62));
    const Divisor by(divisor);
    const std::int64_t any = below(INT64_MAX) >> below(63);
    // And those next to a whole number of divisors, where a product that is too small would show.
    const std::int64_t whole = any / divisor * divisor;
    for (const std::int64_t dividend : {any, whole, whole > 0 ? whole - 1 : 0, INT64_MAX}) {
      ASSERT_EQ(by.quotient(dividend), dividend / divisor) << dividend << " / " << divisor;
    }
  }
}

}  // namespace
}  // namespace kit
