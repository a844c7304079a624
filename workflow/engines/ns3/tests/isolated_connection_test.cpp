// SPDX-License-Identifier: GPL-2.0-only
// A connection alone on its path against closed forms, to the picosecond.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kit/tests/closed_forms.hpp"
#include "ns3_dumbbell.hpp"

namespace tcp_atlas {
namespace {

// Table 6's path, where RTT_0 is 50 ms, and one with an egress link so fast that the bottleneck is the
// slowest. Times on all links are whole picoseconds.
TEST(IsolatedConnection, TakesTheClosedFormsTime) {
  for (const double egress_rate : {2e6, 1e9}) {
    for (const std::int32_t rwnd : {2, 8, 44}) {
      for (std::int32_t file = 3; file <= 130; file += 7) {
        kit::Point point = kit::isolated_point(kit::table_6_point(1, 200), file);
        point.dumbbell().egress.rate_bit_per_s = egress_rate;
        point.groups[0].tcp.rwnd_packets = rwnd;
        point.stop.connections = 1;
        ASSERT_EQ(Dumbbell(point, 1).run().connections.duration,
                  kit::on_time(file, rwnd, kit::path_of(point)))
            << "file " << file << ", rwnd " << rwnd << ", egress " << egress_rate;
      }
    }
  }
}

std::vector<std::uint32_t> timeouts(std::int32_t file) {
  Dumbbell dumbbell(kit::special_point(file, 44), 1);
  std::vector<std::uint32_t> packets;
  dumbbell.sender(0).TraceConnectWithoutContext(
      "Timeout",
      ns3::Callback<void, std::uint32_t>([&packets](std::uint32_t packet) { packets.push_back(packet); }));
  dumbbell.run();
  return packets;
}

// "for file sizes between 54 and 106 packets, a spurious timeout occurs"; "for F = 54, a timeout occurs for
// packet '54', for F = 106 it occurs for packet '90'"
TEST(SpuriousTimeout, HitsTheFilesAndThePacketsThatThePaperNames) {
  EXPECT_TRUE(timeouts(53).empty());
  EXPECT_TRUE(timeouts(107).empty());
  ASSERT_FALSE(timeouts(54).empty());
  EXPECT_EQ(timeouts(54).front(), 54U);
  ASSERT_FALSE(timeouts(106).empty());
  EXPECT_EQ(timeouts(106).front(), 90U);
}

TEST(Network, RefusesInOneLineWhatDevicesCannotHave) {
  const auto refusal = [](auto change) {
    kit::Point point = kit::table_6_point(1, 200);
    change(point);
    try {
      Dumbbell(point, 1);
    } catch (const kit::Unsupported& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().egress.rate_bit_per_s = 1000.5; }),
            "links.egress.rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().bottleneck.rate_bit_per_s = 2e17; }),
            "links.bottleneck.rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
  EXPECT_EQ(refusal([](kit::Point& point) { point.packet_bytes = 21; }),
            "packet_bytes: has to be from 22 to 536870911 for ns3");
}

}  // namespace
}  // namespace tcp_atlas
