// SPDX-License-Identifier: GPL-2.0-only
// Tahoe against a sequence worked by hand from Altman, Bolot, Nain et al. 1997, section 2.

#include <gtest/gtest.h>

#include "script.hpp"
#include "tcp/packet_tahoe.hpp"

namespace tcp_atlas {
namespace {

// The window is 6 and the first two packets of it, 5 and 6 of 5..10, are lost, as in the trace of NewReno.
TEST(PacketTahoe, GoesBackToTheFirstLossAndStartsFromOne) {
  Script<PacketTahoe> script(44);
  script.ack_all_below(5);
  ASSERT_EQ(script.sender->GetWindow(), 6U);
  EXPECT_EQ(script.ack(5), Packets{});
  EXPECT_EQ(script.ack(5), Packets{});
  EXPECT_EQ(script.ack(5), Packets{5});  // the third duplicate
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
  EXPECT_EQ(script.sender->GetWindow(), 1U);
  EXPECT_EQ(script.ack(5), Packets{});        // from 10: no window inflation
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));  // slow start: the window is 2, and 7 goes out a second time
  EXPECT_EQ(script.ack(11), (Packets{11, 12, 13}));  // 7 to 10 had arrived; the window is 3, the threshold
  EXPECT_EQ(script.ack(11), Packets{});              // from the second 7
  EXPECT_EQ(script.ack(12), Packets{14});  // congestion avoidance: a packet more after three acknowledgements
  EXPECT_EQ(script.ack(13), Packets{15});
  EXPECT_EQ(script.ack(14), (Packets{16, 17}));
  EXPECT_EQ(script.sender->GetWindow(), 4U);
}

TEST(PacketTahoe, DuplicatesOfWhatWasSentAgainAreNoLoss) {
  Script<PacketTahoe> script(44);
  script.ack_all_below(5);
  for (int i = 0; i < 3; ++i) {
    script.ack(5);
  }
  script.ack(6);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(script.ack(6), Packets{});
  }
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
}

TEST(PacketTahoe, ATimeoutDoesTheSame) {
  Script<PacketTahoe> script(44);
  script.ack_all_below(5);
  EXPECT_EQ(script.wait(ns3::MilliSeconds(1001)), Packets{5});
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
}

}  // namespace
}  // namespace tcp_atlas
