// SPDX-License-Identifier: GPL-2.0-only
// Reno against sequences worked by hand from RFC 5681, section 3.2, and Fall and Floyd 1996, section 3.

#include <gtest/gtest.h>

#include "script.hpp"
#include "tcp/packet_reno.hpp"

namespace tcp_atlas {
namespace {

using Reno = Script<PacketReno>;

// The window is 6 and packet 5 of 5..10 is lost.
TEST(PacketReno, RecoversOneLossOfAWindow) {
  Reno script(44);
  script.ack_all_below(5);
  ASSERT_EQ(script.sender->GetWindow(), 6U);
  EXPECT_EQ(script.ack(5), Packets{});     // from 6
  EXPECT_EQ(script.ack(5), Packets{});     // from 7
  EXPECT_EQ(script.ack(5), Packets{5});    // from 8: half of the window is 3, and 3 have left the network
  EXPECT_EQ(script.ack(5), Packets{11});   // from 9: the window is 7
  EXPECT_EQ(script.ack(5), Packets{12});   // from 10
  EXPECT_EQ(script.ack(11), Packets{13});  // from the second 5: the window is 3, and 11 and 12 are out
  EXPECT_EQ(script.sender->GetWindow(), 3U);
  EXPECT_EQ(script.ack(12), Packets{14});  // congestion avoidance: a packet more after three acknowledgements
  EXPECT_EQ(script.ack(13), Packets{15});
  EXPECT_EQ(script.ack(14), (Packets{16, 17}));
  EXPECT_EQ(script.sender->GetWindow(), 4U);
}

// Of the same window 5 and 6 are lost: too few packets are left to tell of the second.
TEST(PacketReno, WaitsForTheTimerAfterTwoLossesOfASmallWindow) {
  Reno script(44);
  script.ack_all_below(5);
  script.ack(5);
  script.ack(5);
  EXPECT_EQ(script.ack(5), Packets{5});
  EXPECT_EQ(script.ack(5), Packets{11});  // from 10
  EXPECT_EQ(script.ack(6), Packets{});    // from the second 5: recovery is over, the window 3, and 6 are out
  EXPECT_EQ(script.ack(6), Packets{});    // from 11
  EXPECT_EQ(script.wait(ns3::MilliSeconds(1001)), Packets{6});
  EXPECT_EQ(script.sender->GetThreshold(), 2U);
  EXPECT_EQ(script.ack(12), (Packets{12, 13}));  // slow start
}

// The window is 12 and 11 and 12 of 11..22 are lost.
TEST(PacketReno, HalvesTwiceForTwoLossesOfALargeWindow) {
  Reno script(44);
  script.ack_all_below(11);
  ASSERT_EQ(script.sender->GetWindow(), 12U);
  script.ack(11);
  script.ack(11);
  EXPECT_EQ(script.ack(11), Packets{11});  // from 15: the threshold is 6, the window 9
  EXPECT_EQ(script.ack(11), Packets{});    // from 16
  EXPECT_EQ(script.ack(11), Packets{});
  EXPECT_EQ(script.ack(11), Packets{});    // from 18: the window is 12, and as many are out
  EXPECT_EQ(script.ack(11), Packets{23});  // from 19
  EXPECT_EQ(script.ack(11), Packets{24});
  EXPECT_EQ(script.ack(11), Packets{25});
  EXPECT_EQ(script.ack(11), Packets{26});  // from 22
  EXPECT_EQ(script.ack(12), Packets{});    // from the second 11: the window is 6, and 12 to 26 are out
  EXPECT_EQ(script.sender->GetWindow(), 6U);
  EXPECT_EQ(script.ack(12), Packets{});
  EXPECT_EQ(script.ack(12), Packets{});
  EXPECT_EQ(script.ack(12), Packets{12});  // from 25
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
  EXPECT_EQ(script.ack(12), Packets{});              // from 26
  EXPECT_EQ(script.ack(27), (Packets{27, 28, 29}));  // from the second 12
}

TEST(PacketReno, DuplicatesAfterATimeoutStartNoRecovery) {
  Reno script(44);
  script.ack_all_below(5);
  EXPECT_EQ(script.wait(ns3::MilliSeconds(1001)), Packets{5});
  EXPECT_EQ(script.sender->GetWindow(), 1U);
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(6), Packets{});
  }
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
}

}  // namespace
}  // namespace tcp_atlas
