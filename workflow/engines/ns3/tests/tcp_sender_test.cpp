// SPDX-License-Identifier: GPL-2.0-only
// NewReno, Reno and Tahoe by the sequences that all engines follow; the timer by RFC 6298.

#include <gtest/gtest.h>

#include "kit/tests/newreno_sequences.hpp"
#include "kit/tests/reno_sequences.hpp"
#include "kit/tests/tahoe_sequences.hpp"
#include "ns3/boolean.h"
#include "script.hpp"
#include "tcp/packet_lifelong_reno.hpp"
#include "tcp/packet_newreno.hpp"
#include "tcp/packet_reno.hpp"
#include "tcp/packet_tahoe.hpp"

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Ns3, NewRenoSequences, tcp_atlas::Script<tcp_atlas::PacketNewReno>);
INSTANTIATE_TYPED_TEST_SUITE_P(Ns3, RenoSequences, tcp_atlas::Script<tcp_atlas::PacketReno>);
INSTANTIATE_TYPED_TEST_SUITE_P(Ns3, TahoeSequences, tcp_atlas::Script<tcp_atlas::PacketTahoe>);
}  // namespace kit

namespace tcp_atlas {
namespace {

using NewReno = Script<PacketNewReno>;

// A timer of 1 s that runs from the last packets sent.
TEST(PacketSender, TheTimerBacksOff) {
  NewReno script;
  EXPECT_EQ(script.wait(ns3::MilliSeconds(999)), Packets{});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(2)), Packets{1});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(1998)), Packets{});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(3)), Packets{1});  // 2 s after the first timeout
  EXPECT_EQ(script.wait(ns3::MilliSeconds(3990)), Packets{});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(20)), Packets{1});  // 4 s after the second
}

TEST(PacketNewReno, EveryRetransmissionOfARecoveryRestartsTheTimer) {
  NewReno script;
  script.ack_all_below(5);
  script.ack(5);
  script.ack(5);
  script.ack(5);  // retransmission of 5
  script.wait(ns3::MilliSeconds(900));
  EXPECT_EQ(script.ack(6), (Packets{6, 11}));  // a partial acknowledgement: retransmission of 6
  EXPECT_EQ(script.wait(ns3::MilliSeconds(999)), Packets{});
  EXPECT_EQ(script.wait(ns3::MilliSeconds(2)), Packets{6});
}

TEST(PacketSender, LooksAtNoAcknowledgementOfAnotherTransfer) {
  NewReno script({}, 2);
  script.ack(3);
  ASSERT_TRUE(script.sender->IsDone());
  script.sender->StartTransfer(10);
  EXPECT_EQ(script.ack(3, 1), Packets{});
  EXPECT_EQ(script.ack(2, 2), (Packets{3, 4}));
}

// The window is 7 and packet 6 of 6..12 is lost: half of it is 3.
TEST(PacketLifelongReno, HalvesTheIntegerPartAndAddsAFractionForEachAcknowledgement) {
  Script<PacketLifelongReno> script;
  script.ack_all_below(6);
  ASSERT_EQ(script.cwnd(), 7);
  script.ack(6);                          // from 7
  script.ack(6);                          // from 8
  EXPECT_EQ(script.ack(6), Packets{6});   // from 9
  EXPECT_EQ(script.ack(6), Packets{});    // from 10
  EXPECT_EQ(script.ack(6), Packets{13});  // from 11: the window is 3 and the 5 that have arrived
  EXPECT_EQ(script.ack(6), Packets{14});  // from 12
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.ack(13), Packets{15});        // from the second 6: 3 + 1/3
  EXPECT_EQ(script.ack(14), Packets{16});        // 3.63
  EXPECT_EQ(script.ack(15), Packets{17});        // 3.91
  EXPECT_EQ(script.ack(16), (Packets{18, 19}));  // 4.16
}

// The window is 12 and 11 and 12 of 11..22 are lost: three duplicates tell of the second loss, too.
TEST(PacketLifelongReno, HalvesOnceAWindowOrForEachLoss) {
  for (const bool once : {true, false}) {
    Script<PacketLifelongReno> script;
    script.sender->SetAttribute("OncePerWindow", ns3::BooleanValue(once));
    script.ack_all_below(11);
    for (int i = 0; i < 10; ++i) {
      script.ack(11);  // from 13 to 22
    }
    script.ack(12);  // from the second 11
    script.ack(12);
    script.ack(12);
    EXPECT_EQ(script.ack(12), once ? Packets{} : Packets{12});
    EXPECT_EQ(script.ssthresh(), once ? 6 : 3);
    EXPECT_EQ(script.timeout(), Packets{12});
    EXPECT_EQ(script.cwnd(), 1);
  }
}

// One file after the other with the same window; a new acknowledgement restarts the timer of 1 s.
TEST(PacketLifelongReno, OutlivesItsFiles) {
  Script<PacketLifelongReno> script({}, 2);
  script.ack_all_below(3);
  ASSERT_TRUE(script.sender->IsDone());
  EXPECT_EQ(script.cwnd(), 4);
  script.sender->ContinueTransfer(10);
  EXPECT_EQ(script.started(), (Packets{3, 4, 5, 6}));
  EXPECT_EQ(script.wait(ns3::MilliSeconds(900)), Packets{});
  EXPECT_EQ(script.ack(4), (Packets{7, 8}));
  EXPECT_EQ(script.wait(ns3::MilliSeconds(900)), Packets{});
}

}  // namespace
}  // namespace tcp_atlas
