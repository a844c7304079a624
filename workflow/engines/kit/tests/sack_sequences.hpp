// The sender with selective acknowledgements by sequences worked by hand from Blanc, Collange and Avrachenkov
// 2008, section 4, and RFC 6675; with rate halving, from the rule of ns-2's Linux agent (Wei and Cao 2006):
// in recovery one may be in flight more than are, at most one less than were when the last packet was sent,
// and at the beginning at most the window of before the loss; at least half of the reduced window.
//
// `Path` is an engine's sender, with a window of fixed size that a loss halves and a long file under way, on
// a path of fixed delay that drops the transmissions that it is told to, counted from 0. step() brings back
// the next acknowledgement, or lets the timer run out, and returns what the sender then sends.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "kit/tests/sender_script.hpp"

namespace kit {

struct SackSetting {
  std::int32_t window;
  std::set<std::int64_t> dropped = {};
  bool rate_halving = false;
};

template <class Path>
class SackSequences : public testing::Test {
 protected:
  static void expect_to_send(Path& path, const std::vector<Packets>& sent) {
    for (std::size_t arrival = 0; arrival < sent.size(); ++arrival) {
      ASSERT_EQ(path.step(), sent[arrival]) << "arrival " << arrival + 1;
    }
  }
};
TYPED_TEST_SUITE_P(SackSequences);

TYPED_TEST_P(SackSequences, KeepsAWindowInFlightAndSamplesEveryPacket) {
  TypeParam path({.window = 4});
  for (std::int32_t packet = 1; packet <= 20; ++packet) {
    EXPECT_EQ(path.step(), Packets{packet + 4});
  }
  EXPECT_EQ(path.samples(), 20U);
  EXPECT_TRUE(path.samples_are_the_round_trip());
}

// A window of 10, packet 1 lost. The third later arrival tells; then the sender is silent until beta w = 5
// packets have left the network, and goes on with a packet for each arrival: 5 in the round trip instead
// of 10.
TYPED_TEST_P(SackSequences, IsSilentForHalfAWindowAfterASingleLoss) {
  TypeParam path({.window = 10, .dropped = {0}});
  this->expect_to_send(path, {{11}, {12}, {}});  // packets 2, 3 and 4: 8 in flight, the window is 5
  EXPECT_TRUE(path.in_recovery());
  this->expect_to_send(path, {{}, {}, {}, {1}});         // packets 5 to 8: 4 in flight
  this->expect_to_send(path, {{13}, {14}, {15}, {16}});  // packets 9 to 12
  EXPECT_EQ(path.una(), 1);
  EXPECT_EQ(path.step(), Packets{17});  // packet 1: all until 12 has arrived
  EXPECT_EQ(path.una(), 13);
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.recovered(), 1);
  EXPECT_EQ(path.window(), 5);
}

TYPED_TEST_P(SackSequences, RecoversManyLossesInOneRoundTripWithOneCut) {
  TypeParam path({.window = 40, .dropped = {3, 4, 5, 9, 20, 21}});
  int steps = 0;
  while (path.recovered() == 0 && ++steps < 200) {
    path.step();
  }
  EXPECT_EQ(path.window(), 20);
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.una(), 40);
  EXPECT_LT(steps, 100);  // two round trips, not one for each loss
}

// A window of 10, packet 1 lost. When packet 4 arrives, 8 are left in flight: the lost one is the first to go
// out. From then on a packet goes out for every second arrival, and when the lost one arrives there are 4 in
// flight: the fifth fills the window.
TYPED_TEST_P(SackSequences, HalvesTheRateInARecoveryOfOneRoundTripAfterOneLoss) {
  TypeParam path({10, {0}, true});
  this->expect_to_send(path, {{11}, {12}, {1}});  // packets 2, 3 and 4
  EXPECT_TRUE(path.in_recovery());
  this->expect_to_send(path, {{}, {13}, {}, {14}, {}, {15}, {}, {16}});  // packets 5 to 12
  EXPECT_TRUE(path.in_recovery());
  this->expect_to_send(path, {{17}});  // packet 1
  EXPECT_EQ(path.una(), 13);
  EXPECT_FALSE(path.in_recovery());
  this->expect_to_send(path, {{18}, {19}, {20}});  // packets 13 to 15: the 5 of the window stay in flight
  EXPECT_EQ(path.window(), 5);
}

// A window of 10, packets 1 and 2 lost. When packet 5 arrives, 7 are left in flight. Packet 2 goes out two
// arrivals after packet 1. Packet 1 is the second to arrive since 14 was sent; packet 2 ends the recovery
// with 3 in flight.
TYPED_TEST_P(SackSequences, HalvesTheRateInARecoveryOfOneRoundTripAfterTwoLosses) {
  TypeParam path({10, {0, 1}, true});
  this->expect_to_send(path, {{11}, {12}, {1}});                  // packets 3, 4 and 5
  this->expect_to_send(path, {{}, {2}, {}, {13}, {}, {14}, {}});  // packets 6 to 12
  this->expect_to_send(path, {{15}});                             // packet 1
  EXPECT_TRUE(path.in_recovery());
  this->expect_to_send(path, {{16, 17}});  // packet 2
  EXPECT_FALSE(path.in_recovery());
  this->expect_to_send(path, {{18}, {19}});  // packets 13 and 14: the 5 of the window stay in flight
  EXPECT_EQ(path.window(), 5);
}

// A window of 16, the first and the last packet lost. The first retransmission arrives when 8 are in flight,
// the reduced window; the last packet's loss is found with it, so that the rate is halved for a second round
// trip. That one ends with 3 in flight, and the window is 3 more.
TYPED_TEST_P(SackSequences, CutsTheWindowASecondTimeWhenTheRateIsHalvedForTwoRoundTrips) {
  TypeParam path({16, {0, 15}, true});
  this->expect_to_send(path, {{17}, {18}, {1}});                         // packets 2, 3 and 4
  this->expect_to_send(path, {{}, {19}, {}, {20}, {}, {21}, {}, {22}});  // packets 5 to 12
  this->expect_to_send(path, {{}, {23}, {}, {24}, {}});                  // packets 13 to 15, 17 and 18
  this->expect_to_send(path, {{16}});                                    // packet 1: 6 in flight before
  this->expect_to_send(path, {{}, {25}, {}, {26}, {}, {27}});            // packets 19 to 24
  EXPECT_EQ(path.window(), 8);
  this->expect_to_send(path, {{28, 29, 30}});  // packet 16
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.window(), 6);
}

// The same, but the retransmission of packet 16 is lost too. Half of the reduced window, 4, stays in flight:
// a packet goes out for each that leaves.
TYPED_TEST_P(SackSequences, KeepsHalfOfTheReducedWindowInFlight) {
  TypeParam path({16, {0, 15, 25}, true});
  for (int arrival = 0; arrival < 23; ++arrival) {
    path.step();  // as before
  }
  this->expect_to_send(path, {{28}, {29}, {16, 30}});  // packets 25 to 27: the last finds the loss
  this->expect_to_send(path, {{31}, {32}});            // packets 28 and 29
  EXPECT_TRUE(path.in_recovery());
  this->expect_to_send(path, {{33, 34, 35}});  // packet 16, with 30 to 32 in flight
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.window(), 6);
  EXPECT_EQ(path.timeouts, 0);
}

TYPED_TEST_P(SackSequences, FindsALostRetransmissionWithoutATimeout) {
  TypeParam path(
      {.window = 10, .dropped = {0, 12}});  // the first retransmission is the transmission after 12 packets
  int steps = 0;
  while (path.una() == 1 && ++steps < 100) {
    path.step();
  }
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.una(), 12);
}

TYPED_TEST_P(SackSequences, TakesNoSampleFromARetransmission) {
  TypeParam path({.window = 10, .dropped = {0}});
  for (int i = 0; i < 30; ++i) {
    path.step();
  }
  EXPECT_GT(path.samples(), 0U);
  EXPECT_TRUE(path.samples_are_the_round_trip());
}

TYPED_TEST_P(SackSequences, SendsWhatHasNotArrivedAgainAfterATimeout) {
  TypeParam path({.window = 3, .dropped = {0, 1, 3}});  // packets 1, 2 and 4: only 3 arrives, too few to tell
  EXPECT_EQ(path.step(), Packets{4});                   // packet 3 arrives
  EXPECT_EQ(path.step(), Packets{1});                   // the timer runs out
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.step(), Packets{2});
  EXPECT_EQ(path.una(), 2);
}

REGISTER_TYPED_TEST_SUITE_P(SackSequences, KeepsAWindowInFlightAndSamplesEveryPacket,
                            IsSilentForHalfAWindowAfterASingleLoss,
                            RecoversManyLossesInOneRoundTripWithOneCut,
                            HalvesTheRateInARecoveryOfOneRoundTripAfterOneLoss,
                            HalvesTheRateInARecoveryOfOneRoundTripAfterTwoLosses,
                            CutsTheWindowASecondTimeWhenTheRateIsHalvedForTwoRoundTrips,
                            KeepsHalfOfTheReducedWindowInFlight, FindsALostRetransmissionWithoutATimeout,
                            TakesNoSampleFromARetransmission, SendsWhatHasNotArrivedAgainAfterATimeout);

}  // namespace kit
