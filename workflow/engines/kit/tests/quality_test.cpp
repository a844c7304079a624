// Quality of service by hand.

#include "kit/local_loop/quality.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace kit::local_loop {
namespace {

// Ten files of 10, 20, ..., 100 bits in 1 s, the last packets of which arrive after half of it.
TEST(Quality, GuaranteesWhatMoreThanTheShareGet) {
  std::vector<Burst> bursts;
  for (int i = 1; i <= 10; ++i) {
    bursts.push_back({static_cast<float>(i), 1, 0.5F});
  }
  const std::vector<double> rates = file_rates(bursts, 10);
  EXPECT_EQ(guaranteed_rate(rates, 0.5), 50);  // 6 of 10 get 50 or more, 5 get 60 or more
  EXPECT_EQ(guaranteed_rate(rates, 0.95), 10);
  EXPECT_EQ(guaranteed_rate(rates, 0.55), 50);
  EXPECT_EQ(guaranteed_rate(rates, 0), 100);
  EXPECT_EQ(guaranteed_rate(rates, 0.5, 30), 60);
  EXPECT_EQ(guaranteed_rate(rates, 0.5, 25), 50);
  EXPECT_EQ(file_rates(bursts, 10, 8), (std::vector<double>{90, 100}));
  EXPECT_EQ(guaranteed_rate(arrival_rates(bursts, 10), 0.5), 100);
  EXPECT_THROW(guaranteed_rate({}, 0.5), std::invalid_argument);
}

}  // namespace
}  // namespace kit::local_loop
