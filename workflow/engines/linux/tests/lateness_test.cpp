#include "live/lateness.hpp"

#include <gtest/gtest.h>

namespace linux_engine {
namespace {

TEST(Lateness, RefusesMoreThanOneDeliveryInAHundredBeyondAFullPacket) {
  Lateness lateness(1'000);
  for (int i = 0; i < 198; ++i) {
    lateness.record(1'000);  // a packet's time itself is not too late
  }
  lateness.record(1'001);
  EXPECT_FALSE(lateness.too_late());  // 1 of 199
  lateness.record(5'000);
  EXPECT_FALSE(lateness.too_late());  // 2 of 200
  lateness.record(2'000);
  EXPECT_TRUE(lateness.too_late());  // 3 of 201
  EXPECT_EQ(lateness.worst(), 5'000);
  EXPECT_EQ(lateness.beyond(), 3U);
  EXPECT_DOUBLE_EQ(lateness.mean_seconds(), (198 * 1'000 + 1'001 + 5'000 + 2'000) / 201.0 / 1e9);
}

TEST(Lateness, IsNoneWithoutDeliveries) {
  const Lateness lateness(1'000);
  EXPECT_FALSE(lateness.too_late());
  EXPECT_EQ(lateness.mean_seconds(), 0);
}

}  // namespace
}  // namespace linux_engine
