// NewReno by sequences worked by hand from Zaragoza 2014, section 3.1, RFC 5681 and RFC 6582.
#pragma once

#include <gtest/gtest.h>

#include "kit/tests/sender_script.hpp"

namespace kit {

template <class Script>
class NewRenoSequences : public testing::Test {};
TYPED_TEST_SUITE_P(NewRenoSequences);

TYPED_TEST_P(NewRenoSequences, SlowStartSendsTwoForOne) {
  TypeParam script;
  EXPECT_EQ(script.started(), (Packets{1, 2}));
  EXPECT_EQ(script.ack(2), (Packets{3, 4}));
  EXPECT_EQ(script.ack(3), (Packets{5, 6}));
  EXPECT_EQ(script.cwnd(), 4);
}

// "Without delayed acks L_SS = 2 W_R - 2": the last packet of the last pair.
TYPED_TEST_P(NewRenoSequences, ReachesTheReceiversWindowAtTheLastPair) {
  for (const std::int32_t rwnd : {4, 12, 44}) {
    TypeParam script({.rwnd = rwnd});
    Packets last_pair = script.started();
    for (std::int32_t missing = 2; missing < 2 * rwnd; ++missing) {
      if (const Packets sent = script.ack(missing); sent.size() == 2) {
        last_pair = sent;
      }
    }
    EXPECT_EQ(last_pair.back(), 2 * rwnd - 2);
    EXPECT_EQ(script.cwnd(), rwnd);
  }
}

// Zaragoza's figure 1, renumbered so that here the lost packets are 5 and 6 of the flight 5..10.
TYPED_TEST_P(NewRenoSequences, RecoversTwoLossesAsInFigure1) {
  TypeParam script;
  script.ack_all_below(5);
  ASSERT_EQ(script.cwnd(), 6);
  EXPECT_EQ(script.ack(5), Packets{});   // from 7
  EXPECT_EQ(script.ack(5), Packets{});   // from 8; no limited transmit
  EXPECT_EQ(script.ack(5), Packets{5});  // from 9: triple duplicate, nothing new is sent
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.cwnd(), 6);
  EXPECT_EQ(script.ack(5), Packets{11});         // from 10
  EXPECT_EQ(script.ack(6), (Packets{6, 12}));    // partial acknowledgement: the next loss, and a new packet
  EXPECT_EQ(script.ack(6), Packets{13});         // from 11
  EXPECT_EQ(script.ack(12), (Packets{14, 15}));  // all up to recover = 10: recovery over, window S + 1 = 4
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(13), Packets{16});  // congestion avoidance: one packet per window of acknowledgements
  EXPECT_EQ(script.ack(14), Packets{17});
  EXPECT_EQ(script.ack(15), Packets{18});
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(16), (Packets{19, 20}));
  EXPECT_EQ(script.cwnd(), 5);
}

TYPED_TEST_P(NewRenoSequences, ThresholdIsHalfOfWhatIsOutstandingAndAtLeastTwo) {
  TypeParam one;
  one.timeout();  // two outstanding
  EXPECT_EQ(one.ssthresh(), 2);
  TypeParam many;
  many.ack_all_below(12);  // 13 outstanding
  many.timeout();
  EXPECT_EQ(many.ssthresh(), 6);
}

TYPED_TEST_P(NewRenoSequences, TimeoutGoesBackToTheFirstUnacknowledged) {
  TypeParam script;
  script.ack_all_below(5);  // 5 to 10 outstanding
  EXPECT_EQ(script.timeout(), Packets{5});
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));         // duplicates may be sent after a timeout
  EXPECT_EQ(script.ack(11), (Packets{11, 12, 13}));  // 6 to 10 had arrived
}

TYPED_TEST_P(NewRenoSequences, ASecondTimeoutOfOnePacketKeepsTheThreshold) {
  TypeParam script;
  script.ack_all_below(5);
  script.timeout();
  EXPECT_EQ(script.timeout(), Packets{5});
  EXPECT_EQ(script.ssthresh(), 3);
}

// RFC 6582: after a timeout, duplicate acknowledgements of what was sent before it start no recovery.
TYPED_TEST_P(NewRenoSequences, DuplicatesAfterATimeoutStartNoRecovery) {
  TypeParam script;
  script.ack_all_below(5);
  script.timeout();
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(6), Packets{});
  }
  EXPECT_EQ(script.cwnd(), 2);
}

// ... but after a second timeout of the same packet they do ("thus all TD events are enabled").
TYPED_TEST_P(NewRenoSequences, DuplicatesAfterTwoTimeoutsOfOnePacketStartARecovery) {
  TypeParam script;
  script.ack_all_below(5);
  script.timeout();
  script.timeout();
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  EXPECT_EQ(script.ack(6), Packets{});
  EXPECT_EQ(script.ack(6), Packets{});
  EXPECT_EQ(script.ack(6), Packets{6});
}

TYPED_TEST_P(NewRenoSequences, NeverExceedsTheReceiversWindow) {
  TypeParam script({.rwnd = 8});
  script.ack_all_below(40);
  for (int i = 0; i < 20; ++i) {
    script.ack(40);
    ASSERT_LE(script.cwnd(), 8);
    ASSERT_LE(script.outstanding(), 8);
  }
}

REGISTER_TYPED_TEST_SUITE_P(NewRenoSequences, SlowStartSendsTwoForOne, ReachesTheReceiversWindowAtTheLastPair,
                            RecoversTwoLossesAsInFigure1, ThresholdIsHalfOfWhatIsOutstandingAndAtLeastTwo,
                            TimeoutGoesBackToTheFirstUnacknowledged,
                            ASecondTimeoutOfOnePacketKeepsTheThreshold,
                            DuplicatesAfterATimeoutStartNoRecovery,
                            DuplicatesAfterTwoTimeoutsOfOnePacketStartARecovery,
                            NeverExceedsTheReceiversWindow);

}  // namespace kit
