// SPDX-License-Identifier: GPL-2.0-only
// A connection alone on its path against closed forms, to the picosecond.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/tests/points.hpp"
#include "ns3_dumbbell.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;
using kit::Point;

// Zaragoza 2014, section 4.2: flights double from 2 up to the receiver's window; a flight that takes longer
// than a round trip never ends, and all that is left belongs to it. ON = m RTT_0 + n Delta.
Picoseconds on_time(std::int64_t file, std::int64_t rwnd, Picoseconds rtt, Picoseconds slowest) {
  std::int64_t flight = 2;
  for (std::int64_t left = file, rounds = 1;; ++rounds) {
    if (left <= flight || flight * slowest > rtt) {
      return rounds * rtt + (left - 1) * slowest;
    }
    left -= flight;
    flight = std::min(2 * flight, rwnd);
  }
}

// Table 6's path, where RTT_0 is 50 ms, and one with an egress link so fast that the bottleneck is the
// slowest. Times on all links are whole picoseconds.
TEST(LoneConnection, TakesTheClosedFormsTime) {
  for (const double egress_rate : {2e6, 1e9}) {
    const Picoseconds egress_time = kit::transmission_time(1500, egress_rate);
    const Picoseconds slowest = std::max<Picoseconds>(1'200'000'000, egress_time);
    const Picoseconds rtt = 120'000'000 + 1'200'000'000 + egress_time + 2 * 21'340'000'000;
    for (const std::int32_t rwnd : {2, 8, 44}) {
      for (std::int32_t file = 3; file <= 130; file += 7) {
        Point point = kit::lone_point(kit::table_6_point(1, 200), file);
        point.egress.rate_bit_per_s = egress_rate;
        point.groups[0].tcp.rwnd_packets = rwnd;
        point.stop_connections = 1;
        ASSERT_EQ(Dumbbell(point, 1).run().connections.duration, on_time(file, rwnd, rtt, slowest))
            << "file " << file << ", rwnd " << rwnd << ", egress " << egress_rate;
      }
    }
  }
}

// Section 4.2's special setting: 1.5 Mbit/s, 128 kbit/s, D = 300 ms, packets of 576 bytes, acknowledgements
// of 40.
std::vector<std::uint32_t> timeouts(std::int32_t file) {
  Point point = kit::lone_point(kit::table_6_point(1, 1000), file);
  point.packet_bytes = 576;
  point.bottleneck.rate_bit_per_s = 1.5e6;
  point.bottleneck.delay_s = 0.15;
  point.egress.rate_bit_per_s = 128e3;
  point.return_delay_s = 0.15 + 40 * 8 * (1 / 100e6 + 1 / 1.5e6 + 1 / 128e3);
  point.stop_connections = 1;
  Dumbbell dumbbell(point, 1);
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

}  // namespace
}  // namespace tcp_atlas
