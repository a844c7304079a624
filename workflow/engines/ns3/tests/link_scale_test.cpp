// SPDX-License-Identifier: GPL-2.0-only
// Packets smaller than ns-3's headers, and rates that are not whole bits per second.

#include "link_scale.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numbers>
#include <string>

#include "kit/tests/points.hpp"
#include "ns3_dumbbell.hpp"

namespace tcp_atlas {
namespace {

using kit::Point;

Point point_of(std::int32_t bytes, double access, double bottleneck, double egress) {
  Point point = kit::lone_point(kit::table_6_point(1, 200), 1);
  point.packet_bytes = bytes;
  point.groups[0].access.rate_bit_per_s = access;
  point.bottleneck.rate_bit_per_s = bottleneck;
  point.egress.rate_bit_per_s = egress;
  point.stop_connections = 1;
  return point;
}

TEST(LinkScale, IsOneWhereDevicesCanHaveThePointsOwnLinks) {
  EXPECT_EQ(link_scale(kit::table_6_point(1, 200)), 1U);
  EXPECT_EQ(link_scale(point_of(22, 1, 1e12, 1e17)), 1U);
  EXPECT_EQ(link_scale(point_of(536'870'911, 1e8, 1e7, 1e6)), 1U);
}

TEST(LinkScale, GivesSmallPacketsPlaceForHeaders) {
  EXPECT_EQ(link_scale(point_of(21, 1e8, 1e7, 2e6)), 2U);
  EXPECT_EQ(link_scale(point_of(1, 1e8, 1e7, 2e6)), 22U);
}

TEST(LinkScale, MakesRatesWhole) {
  EXPECT_EQ(link_scale(point_of(1500, 1e8, 1e7 / 3, 2e6)), 3U);
  EXPECT_EQ(link_scale(point_of(1500, 1000.5, 1e4 / 3, 2e6)), 6U);
  EXPECT_EQ(scaled_rate({.rate_bit_per_s = 1000.5, .delay_s = 0}, 6), 6003U);
}

// A packet's time is the sum of its bits over each rate, as the point has them.
TEST(LinkScale, LeavesTimesAsTheyAre) {
  for (const Point& point :
       {point_of(1, 1e8, 1e7, 2e6), point_of(8, 33e3 / 7, 1e4 / 3, 1001.25),
        point_of(1500, std::numbers::pi * 1e7, 783'361.3, 2e6 / 11), point_of(1500, 1e8, 0.5, 2e6)}) {
    double seconds = 2 * 0.02134;
    for (const double rate : {point.groups[0].access.rate_bit_per_s, point.bottleneck.rate_bit_per_s,
                              point.egress.rate_bit_per_s}) {
      seconds += 8.0 * point.packet_bytes / rate;
    }
    // Each of the three is rounded to a picosecond.
    EXPECT_NEAR(static_cast<double>(Dumbbell(point, 1).run().connections.duration), seconds * 1e12, 1.5);
  }
}

std::string refusal(const Point& point) {
  try {
    link_scale(point);
  } catch (const kit::Unsupported& error) {
    return error.what();
  }
  return "";
}

TEST(LinkScale, SaysInOneLineWhatDevicesCannotHave) {
  EXPECT_EQ(refusal(point_of(536'870'912, 1e8, 1e7, 2e6)),
            "packet_bytes: is too large for ns3; at most 536870911");
  EXPECT_EQ(refusal(point_of(1500, 1e8, 1e7, 2e17)),
            "links.egress.rate_bit_per_s: is too high for ns3; at most 1e17");
}

}  // namespace
}  // namespace tcp_atlas
