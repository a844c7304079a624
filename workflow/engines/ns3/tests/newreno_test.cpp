// SPDX-License-Identifier: GPL-2.0-only
// NewReno against sequences worked by hand from Zaragoza 2014, section 3.1, RFC 5681, RFC 6582 and RFC 6298.

#include <gtest/gtest.h>

#include "script.hpp"
#include "tcp/packet_newreno.hpp"

namespace tcp_atlas {
namespace {

using NewReno = Script<PacketNewReno>;

// The timer is at its least, 1 s, and then some.
const auto kTimeout = ns3::MilliSeconds(1001);

TEST(PacketNewReno, SlowStartSendsTwoForOne) {
  NewReno script(44);
  EXPECT_EQ(script.started(), (Packets{1, 2}));
  EXPECT_EQ(script.ack(2), (Packets{3, 4}));
  EXPECT_EQ(script.ack(3), (Packets{5, 6}));
}

// Zaragoza's figure 1, where the window is 6 and packets 1 and 2 of it are lost; here they are 5 and 6
// of 5..10.
TEST(PacketNewReno, RecoversTwoLossesAsInFigure1) {
  NewReno script(44);
  script.ack_all_below(5);
  ASSERT_EQ(script.sender->GetWindow(), 6U);
  EXPECT_EQ(script.ack(5), Packets{});    // "from 3"
  EXPECT_EQ(script.ack(5), Packets{});    // "from 4"
  EXPECT_EQ(script.ack(5), Packets{5});   // "from 5": the missing packet and nothing else
  EXPECT_EQ(script.ack(5), Packets{11});  // "from 6": new data
  EXPECT_EQ(script.ack(6),
            (Packets{6, 12}));            // the first loss is recovered, the next is sent, and a new packet
  EXPECT_EQ(script.ack(6), Packets{13});  // "from 7", in the figure's numbers
  EXPECT_EQ(script.ack(12), (Packets{14, 15}));  // recovery is over: S = 3, and the window is S + 1
  EXPECT_EQ(script.sender->GetWindow(), 4U);
  EXPECT_EQ(script.ack(13), Packets{16});  // congestion avoidance: the window grows with the fourth
  EXPECT_EQ(script.ack(14), Packets{17});
  EXPECT_EQ(script.ack(15), Packets{18});
  EXPECT_EQ(script.ack(16), (Packets{19, 20}));
}

TEST(PacketNewReno, TimeoutSendsTheFirstAgainAndHalvesTheThreshold) {
  NewReno script(44);
  script.ack_all_below(5);  // 5 to 10 are outstanding
  EXPECT_EQ(script.wait(kTimeout), Packets{5});
  EXPECT_EQ(script.sender->GetWindow(), 1U);
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  EXPECT_EQ(script.ack(11), (Packets{11, 12, 13}));  // 6 to 10 had arrived
}

TEST(PacketNewReno, TheTimerBacksOffAndASecondTimeoutOfAPacketKeepsTheThreshold) {
  NewReno script(44);
  script.ack_all_below(5);
  script.wait(kTimeout);
  EXPECT_EQ(script.wait(kTimeout), Packets{});   // 1 s after the first timeout: not yet
  EXPECT_EQ(script.wait(kTimeout), Packets{5});  // 2 s after it
  EXPECT_EQ(script.sender->GetThreshold(), 3U);
  EXPECT_EQ(script.wait(ns3::MilliSeconds(3990)), Packets{});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(10)), Packets{5});  // 4 s after the second
}

// RFC 6582, 3.2: duplicates of what was sent before a timeout start no recovery; after the second timeout of
// one packet "all TD events are enabled" (Zaragoza).
TEST(PacketNewReno, DuplicatesAfterATimeoutStartNoRecovery) {
  NewReno script(44);
  script.ack_all_below(5);
  script.wait(kTimeout);
  script.ack(6);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(6), Packets{});
  }
}

TEST(PacketNewReno, DuplicatesAfterTwoTimeoutsOfAPacketStartARecovery) {
  NewReno script(44);
  script.ack_all_below(5);
  script.wait(ns3::MilliSeconds(3010));  // two timeouts
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  EXPECT_EQ(script.ack(6), Packets{});
  EXPECT_EQ(script.ack(6), Packets{});
  EXPECT_EQ(script.ack(6), Packets{6});
}

TEST(PacketNewReno, EveryRetransmissionOfARecoveryRestartsTheTimer) {
  NewReno script(44);
  script.ack_all_below(5);
  script.ack(5);
  script.ack(5);
  script.ack(5);  // retransmission of 5
  script.wait(ns3::MilliSeconds(900));
  EXPECT_EQ(script.ack(6), (Packets{6, 11}));  // a partial acknowledgement: retransmission of 6
  EXPECT_EQ(script.wait(ns3::MilliSeconds(999)), Packets{});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(2)), Packets{6});
}

TEST(PacketNewReno, NeverExceedsTheReceiversWindow) {
  NewReno script(8);
  for (std::uint32_t missing = 2; missing < 100; ++missing) {
    script.ack(missing);
    ASSERT_LE(script.sender->GetWindow(), 8U);
  }
}

TEST(PacketNewReno, LooksAtNoAcknowledgementOfAnotherTransfer) {
  NewReno script(44, 2);
  script.ack(3);
  ASSERT_TRUE(script.sender->IsDone());
  script.sender->StartTransfer(10);
  EXPECT_EQ(script.ack(3, 1), Packets{});
  EXPECT_EQ(script.ack(2, 2), (Packets{3, 4}));
}

}  // namespace
}  // namespace tcp_atlas
