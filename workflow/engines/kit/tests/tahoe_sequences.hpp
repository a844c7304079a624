// Tahoe by sequences worked by hand from Altman, Bolot, Nain et al. 1997, equations 7 and 8, and Jacobson
// 1988.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "kit/tests/sender_script.hpp"

namespace kit {

template <class Script>
class TahoeSequences : public testing::Test {};
TYPED_TEST_SUITE_P(TahoeSequences);

inline constexpr ScriptLimits kFromOne{.rwnd = 1000, .initial_window = 1};

TYPED_TEST_P(TahoeSequences, SlowStartSendsTwoForOne) {
  TypeParam script(kFromOne);
  EXPECT_EQ(script.ack(2), (Packets{2, 3}));
  EXPECT_EQ(script.ack(3), (Packets{4, 5}));
  EXPECT_EQ(script.ack(4), (Packets{6, 7}));
  EXPECT_EQ(script.cwnd(), 4);
}

// Equation 8: the threshold is half of the window, the window one; only the lost packet is sent.
TYPED_TEST_P(TahoeSequences, TripleDuplicateTakesTheWindowToOne) {
  TypeParam script(kFromOne);
  script.ack_all_below(8);  // window 8: packets 8 to 15 are out
  ASSERT_EQ(script.cwnd(), 8);
  EXPECT_EQ(script.ack(8), Packets{});
  EXPECT_EQ(script.ack(8), Packets{});
  EXPECT_EQ(script.ack(8), Packets{8});
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 4);
  EXPECT_EQ(script.ack(8), Packets{});  // further duplicates change nothing
  EXPECT_EQ(script.cwnd(), 1);
}

// Four packets are sent at once and the first is lost: the other three tell of it. Jacobson 1988 and RFC
// 5681, 3.2, ask for three duplicates, whichever packet they are of.
TYPED_TEST_P(TahoeSequences, LosesTheFirstPacketOfATransfer) {
  TypeParam four({.initial_window = 4});
  EXPECT_EQ(four.started(), (Packets{1, 2, 3, 4}));
  EXPECT_EQ(four.ack(1), Packets{});   // from 2
  EXPECT_EQ(four.ack(1), Packets{});   // from 3
  EXPECT_EQ(four.ack(1), Packets{1});  // from 4
  EXPECT_EQ(four.cwnd(), 1);
  EXPECT_EQ(four.ssthresh(), 2);
  EXPECT_EQ(four.ack(5), (Packets{5, 6}));  // 2 to 4 had come
}

// The sender goes back: what it sent beyond the loss is sent again, unless the acknowledgement says that it
// came.
TYPED_TEST_P(TahoeSequences, GoesBackToTheLoss) {
  TypeParam script(kFromOne);
  script.ack_all_below(8);
  for (int i = 0; i < 3; ++i) {
    script.ack(8);
  }
  EXPECT_EQ(script.ack(10), (Packets{10, 11}));  // 10 was lost too; 11 had come, and is sent again
  EXPECT_EQ(script.ack(16), (Packets{16, 17, 18}));
}

// Equation 7: 1/floor(W) for each acknowledgement once the window has reached the threshold.
TYPED_TEST_P(TahoeSequences, GrowsByOneInAWindowOfAcknowledgements) {
  TypeParam script(kFromOne);
  script.ack_all_below(8);
  for (int i = 0; i < 3; ++i) {
    script.ack(8);  // threshold 4
  }
  script.ack(16);  // window 2
  script.ack(17);  // 3
  script.ack(18);  // 4: congestion avoidance from here
  std::vector<std::int32_t> windows;
  for (std::int32_t missing = 19; missing <= 28; ++missing) {
    script.ack(missing);
    windows.push_back(script.cwnd());
  }
  EXPECT_EQ(windows, (std::vector<std::int32_t>{4, 4, 4, 5, 5, 5, 5, 5, 6, 6}));
}

TYPED_TEST_P(TahoeSequences, DuplicatesOfWhatWasSentAgainAreNoLoss) {
  TypeParam script(kFromOne);
  script.ack_all_below(8);
  for (int i = 0; i < 3; ++i) {
    script.ack(8);
  }
  script.ack(10);  // window 2; up to 15 was sent before the loss was found
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(10), Packets{});
  }
  EXPECT_EQ(script.cwnd(), 2);
  EXPECT_EQ(script.ssthresh(), 4);
}

TYPED_TEST_P(TahoeSequences, TimeoutGoesBackToo) {
  TypeParam script(kFromOne);
  script.ack_all_below(8);
  EXPECT_EQ(script.timeout(), Packets{8});
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 4);
  EXPECT_EQ(script.ack(9), (Packets{9, 10}));
}

TYPED_TEST_P(TahoeSequences, ThresholdIsAtLeastTwo) {
  TypeParam script(kFromOne);
  script.timeout();
  EXPECT_EQ(script.ssthresh(), 2);
}

REGISTER_TYPED_TEST_SUITE_P(TahoeSequences, SlowStartSendsTwoForOne, TripleDuplicateTakesTheWindowToOne,
                            LosesTheFirstPacketOfATransfer, GoesBackToTheLoss,
                            GrowsByOneInAWindowOfAcknowledgements, DuplicatesOfWhatWasSentAgainAreNoLoss,
                            TimeoutGoesBackToo, ThresholdIsAtLeastTwo);

}  // namespace kit
