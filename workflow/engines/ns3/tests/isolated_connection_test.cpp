// SPDX-License-Identifier: GPL-2.0-only
// A connection alone on its path against closed forms, to the picosecond.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kit/tests/closed_forms.hpp"
#include "simulation.hpp"

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
        ASSERT_EQ(Simulation(point, 1).run().connections.duration,
                  kit::on_time(file, rwnd, kit::path_of(point)))
            << "file " << file << ", rwnd " << rwnd << ", egress " << egress_rate;
      }
    }
  }
}

// Two packets in the first flight, acknowledgements of two packets, and a packet more for each of them (RFC
// 5681, sections 3.1 and 4.2): flights of 2, 3 and 3 packets. A packet without a second one waits `timer`.
kit::Picoseconds delayed_ack_time(std::int32_t file, kit::Picoseconds trip, kit::Picoseconds service,
                                  kit::Picoseconds timer, bool quick) {
  if (quick) {  // the first two one by one: 3 and 4 go with the first acknowledgement, 5 and 6 with the
                // second
    return 2 * trip + (file - 3) * service + (file % 2 == 1 ? timer : 0);
  }
  const kit::Picoseconds second = service + trip;          // when 3, 4 and 5 are sent
  const kit::Picoseconds third = second + service + trip;  // when 6, 7 and 8 are
  const bool five_waits = timer < trip - service;          // in vain: 6 comes later
  switch (file) {
    case 1:
      return trip + timer;
    case 2:
      return second;
    case 3:
      return second + trip + timer;
    case 4:
      return second + service + trip;
    case 5:
      return second + 2 * service + trip + timer;
    case 6:
      return third + trip + (five_waits ? timer : 0);
    case 7:
      return third + service + trip + (five_waits ? 0 : timer);
    default:  // 8: after 7, or with it
      return third + 2 * service + trip + (five_waits ? timer : 0);
  }
}

TEST(DelayedAcks, TakeTheClosedFormsTime) {
  constexpr kit::Picoseconds kMicrosecond = 1'000'000;
  constexpr kit::Picoseconds kTrip = (120 + 1200 + 12 + 2 * 21340) * kMicrosecond;
  for (const double timeout_s : {0.2, 0.04}) {
    for (const std::int32_t quick_acks : {0, 2}) {
      for (std::int32_t file = quick_acks > 0 ? 4 : 1; file <= (quick_acks > 0 ? 6 : 8); ++file) {
        kit::Point point = kit::isolated_point(kit::table_6_point(1, 200), file);
        point.dumbbell().egress.rate_bit_per_s = 1e9;
        point.groups[0].tcp.delayed_ack =
            kit::DelayedAck{.packets = 2, .timeout_s = timeout_s, .quick_acks = quick_acks};
        point.stop.connections = 1;
        EXPECT_EQ(
            Simulation(point, 1).run().connections.duration,
            delayed_ack_time(file, kTrip, 1200 * kMicrosecond, kit::picoseconds(timeout_s), quick_acks > 0))
            << "file " << file << ", timeout " << timeout_s << ", quick " << quick_acks;
      }
    }
  }
}

std::vector<std::uint32_t> timeouts(std::int32_t file) {
  Simulation simulation(kit::special_point(file, 44), 1);
  std::vector<std::uint32_t> packets;
  simulation.sender(0).TraceConnectWithoutContext(
      "Timeout",
      ns3::Callback<void, std::uint32_t>([&packets](std::uint32_t packet) { packets.push_back(packet); }));
  simulation.run();
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
      Simulation(point, 1);
    } catch (const kit::Unsupported& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().egress.rate_bit_per_s = 1000.5; }),
            "links.egress.rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().bottleneck.rate_bit_per_s = 2e17; }),
            "links.bottleneck.rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
  EXPECT_EQ(refusal([](kit::Point& point) { point.packet_bytes = 13; }),
            "packet_bytes: has to be from 14 to 536870911 for ns3");
  EXPECT_EQ(refusal([](kit::Point& point) { point.dumbbell().bottleneck.queue = kit::Queue::kRed; }),
            "links.bottleneck.queue: one of drop-tail, fair-individual, fair-shared for ns3");
  EXPECT_EQ(refusal([](kit::Point& point) { point.stop.loss_events = 1; }),
            "stop: has to have no loss_events for ns3");
  EXPECT_EQ(refusal([](kit::Point& point) { point.groups[0].tcp.ecn = true; }),
            "sources.tcp: has to have none of sack, ecn, timestamps, pacing, sack_recovery, loss_detection "
            "for ns3");
}

}  // namespace
}  // namespace tcp_atlas
