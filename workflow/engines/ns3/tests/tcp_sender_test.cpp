// SPDX-License-Identifier: GPL-2.0-only
// NewReno, Reno and Tahoe by the sequences that all engines follow; the timer by RFC 6298.

#include <gtest/gtest.h>

#include "kit/tests/newreno_sequences.hpp"
#include "kit/tests/reno_sequences.hpp"
#include "kit/tests/tahoe_sequences.hpp"
#include "script.hpp"
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
TEST(PacketTcpSender, TheTimerBacksOff) {
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

TEST(PacketTcpSender, LooksAtNoAcknowledgementOfAnotherTransfer) {
  NewReno script({}, 2);
  script.ack(3);
  ASSERT_TRUE(script.sender->IsDone());
  script.sender->StartTransfer(10);
  EXPECT_EQ(script.ack(3, 1), Packets{});
  EXPECT_EQ(script.ack(2, 2), (Packets{3, 4}));
}

}  // namespace
}  // namespace tcp_atlas
