// Reno by sequences worked by hand from RFC 5681, section 3.2, and Fall and Floyd 1996, section 3.
#pragma once

#include <gtest/gtest.h>

#include "kit/tests/sender_script.hpp"

namespace kit {

template <class Script>
class RenoSequences : public testing::Test {};
TYPED_TEST_SUITE_P(RenoSequences);

// The window is 8 and packet 7 of 7..14 is lost.
TYPED_TEST_P(RenoSequences, RecoversOneLossOfAWindow) {
  TypeParam script;
  EXPECT_EQ(script.started(), (Packets{1, 2}));
  script.ack_all_below(7);
  ASSERT_EQ(script.cwnd(), 8);
  EXPECT_EQ(script.ack(7), Packets{});   // from 8
  EXPECT_EQ(script.ack(7), Packets{});   // from 9
  EXPECT_EQ(script.ack(7), Packets{7});  // from 10: half of the window is 4, and 3 have left the network
  EXPECT_EQ(script.cwnd(), 4 + 3);
  EXPECT_EQ(script.ack(7), Packets{});    // from 11: the window is 8, and as many are out
  EXPECT_EQ(script.ack(7), Packets{15});  // from 12
  EXPECT_EQ(script.ack(7), Packets{16});  // from 13
  EXPECT_EQ(script.ack(7), Packets{17});  // from 14
  EXPECT_TRUE(script.in_recovery());
  EXPECT_EQ(script.ack(15), Packets{18});  // from the second 7: the window is 4, and 15 to 17 are out
  EXPECT_FALSE(script.in_recovery());
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(16), Packets{19});  // congestion avoidance: a packet more after four acknowledgements
  EXPECT_EQ(script.ack(17), Packets{20});
  EXPECT_EQ(script.ack(18), Packets{21});
  EXPECT_EQ(script.ack(19), (Packets{22, 23}));
  EXPECT_EQ(script.cwnd(), 5);
}

// The window is 6 and 5 and 6 of 5..10 are lost: too few packets are left to tell of the second.
TYPED_TEST_P(RenoSequences, WaitsForTheTimerAfterTwoLossesOfASmallWindow) {
  TypeParam script;
  script.ack_all_below(5);
  script.ack(5);                          // from 7
  script.ack(5);                          // from 8
  EXPECT_EQ(script.ack(5), Packets{5});   // from 9
  EXPECT_EQ(script.ack(5), Packets{11});  // from 10
  EXPECT_EQ(script.ack(6), Packets{});    // from the second 5: recovery is over, the window 3, and 6 are out
  EXPECT_FALSE(script.in_recovery());
  EXPECT_EQ(script.ack(6), Packets{});  // from 11
  EXPECT_EQ(script.timeout(), Packets{6});
  EXPECT_EQ(script.ssthresh(), 2);
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ack(12), (Packets{12, 13}));  // slow start
}

// The window is 12 and 11 and 12 of 11..22 are lost: here enough duplicates are left for the second.
TYPED_TEST_P(RenoSequences, HalvesTwiceForTwoLossesOfALargeWindow) {
  TypeParam script;
  script.ack_all_below(11);
  ASSERT_EQ(script.cwnd(), 12);
  script.ack(11);                          // from 13
  script.ack(11);                          // from 14
  EXPECT_EQ(script.ack(11), Packets{11});  // from 15: the threshold is 6, the window 9
  for (int i = 16; i <= 18; ++i) {
    EXPECT_EQ(script.ack(11), Packets{});
  }
  for (std::int32_t sent = 23; sent <= 26; ++sent) {
    EXPECT_EQ(script.ack(11), Packets{sent});  // from 19 to 22
  }
  EXPECT_EQ(script.ack(12), Packets{});  // from the second 11: the window is 6, and 12 to 26 are out
  EXPECT_EQ(script.cwnd(), 6);
  script.ack(12);                          // from 23
  script.ack(12);                          // from 24
  EXPECT_EQ(script.ack(12), Packets{12});  // from 25
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.ack(12), Packets{});              // from 26
  EXPECT_EQ(script.ack(27), (Packets{27, 28, 29}));  // from the second 12
}

TYPED_TEST_P(RenoSequences, DuplicatesAfterATimeoutStartNoRecovery) {
  TypeParam script;
  script.ack_all_below(5);
  EXPECT_EQ(script.timeout(), Packets{5});
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(6), Packets{});
  }
  EXPECT_EQ(script.ssthresh(), 3);
}

// With four packets out at once the very first may be told by duplicates.
TYPED_TEST_P(RenoSequences, RecoversTheLossOfTheFirstPacket) {
  TypeParam script({.initial_window = 4});
  script.ack(1);
  script.ack(1);
  EXPECT_EQ(script.ack(1), Packets{1});
  EXPECT_EQ(script.ack(5), (Packets{5, 6}));
}

TYPED_TEST_P(RenoSequences, NeverExceedsTheReceiversWindow) {
  TypeParam script({.rwnd = 8});
  script.ack_all_below(40);
  for (int i = 0; i < 20; ++i) {
    script.ack(40);
    ASSERT_LE(script.cwnd(), 8);
    ASSERT_LE(script.outstanding(), 8);
  }
}

REGISTER_TYPED_TEST_SUITE_P(RenoSequences, RecoversOneLossOfAWindow,
                            WaitsForTheTimerAfterTwoLossesOfASmallWindow,
                            HalvesTwiceForTwoLossesOfALargeWindow, DuplicatesAfterATimeoutStartNoRecovery,
                            RecoversTheLossOfTheFirstPacket, NeverExceedsTheReceiversWindow);

}  // namespace kit
