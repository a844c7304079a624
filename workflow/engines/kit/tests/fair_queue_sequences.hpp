// Fair queueing by sequences worked by hand from Baccelli, Hong and Liu 2001, section 5.2, and Suter,
// Lakshman, Stiliadis and Choudhury 1998.
//
// `Turns` is an engine's queue with its link, for four flows, made from its buffer in packets and whether
// that is shared. arrive("A1 B1") adds packets, named by flow and number, all at once; leave(n) returns the
// next so many to leave, "- " for none; `dropped` names all that were; present() counts what is there, the
// packet in service included.
#pragma once

#include <gtest/gtest.h>

namespace kit {

template <class Turns>
class FairQueueSequences : public testing::Test {};
TYPED_TEST_SUITE_P(FairQueueSequences);

TYPED_TEST_P(FairQueueSequences, ServesTheFlowsInTurn) {
  TypeParam queue(10, false);
  queue.arrive("A1 A2 A3 B1 C1 C2");
  EXPECT_EQ(queue.leave(7), "A1 A2 B1 C1 A3 C2 - ");  // A1 is in service before anybody waits
}

// Figure 4 of Baccelli, Hong and Liu 2001: after a packet of the first flow three other flows are served
// before its next.
TYPED_TEST_P(FairQueueSequences, VisitsEveryFlowBetweenTwoPacketsOfOne) {
  TypeParam queue(10, true);
  queue.arrive("D1 A1 A2 B1 B2 C1 D2");
  EXPECT_EQ(queue.leave(6), "D1 A1 B1 C1 D2 A2 ");
}

TYPED_TEST_P(FairQueueSequences, AFlowThatComesBackIsLast) {
  TypeParam queue(10, false);
  queue.arrive("A1 B1 B2");
  EXPECT_EQ(queue.leave(1), "A1 ");
  queue.arrive("A2 C1");
  EXPECT_EQ(queue.leave(4), "B1 B2 A2 C1 ");  // B's second took its turn when its first came into service
}

TYPED_TEST_P(FairQueueSequences, AnIndividualBufferLosesWhatArrives) {
  TypeParam queue(2, false);
  queue.arrive("A1 A2 A3 B1 B2 B3");  // of A one is in service
  EXPECT_EQ(queue.dropped, "A3 B3 ");
  EXPECT_EQ(queue.present(), 4U);
  EXPECT_EQ(queue.leave(1), "A1 ");
  queue.arrive("A4 A5");  // A2 is in service now
  EXPECT_EQ(queue.dropped, "A3 B3 A5 ");
  EXPECT_EQ(queue.leave(5), "A2 B1 A4 B2 - ");
}

TYPED_TEST_P(FairQueueSequences, ASharedBufferTakesFromTheLongestQueuesFront) {
  TypeParam queue(5, true);
  queue.arrive("D1 A1 A2 A3 B1");  // D1 in service, four wait
  EXPECT_EQ(queue.dropped, "");
  queue.arrive("C1");
  EXPECT_EQ(queue.dropped, "A1 ");
  queue.arrive("B2");  // A has two, B two with this one: that of the packet
  EXPECT_EQ(queue.dropped, "A1 B1 ");
  queue.arrive("C2");  // A and C have two: that of the packet
  EXPECT_EQ(queue.dropped, "A1 B1 C1 ");
  queue.arrive("D2");  // A alone has two
  EXPECT_EQ(queue.dropped, "A1 B1 C1 A2 ");
  EXPECT_EQ(queue.present(), 5U);
  EXPECT_EQ(queue.leave(6), "D1 A3 B2 C2 D2 - ");
}

TYPED_TEST_P(FairQueueSequences, OfSeveralLongestQueuesTheLowestFlowsLoses) {
  TypeParam queue(5, true);
  queue.arrive("D1 C1 C2 B1 B2 A1");
  EXPECT_EQ(queue.dropped, "B1 ");
  EXPECT_EQ(queue.leave(5), "D1 C1 B2 A1 C2 ");
}

TYPED_TEST_P(FairQueueSequences, WhatIsInServiceIsNotDropped) {
  TypeParam queue(1, true);
  queue.arrive("A1 A2 B1");
  EXPECT_EQ(queue.dropped, "A2 B1 ");
  EXPECT_EQ(queue.leave(2), "A1 - ");
  queue.arrive("B2");  // nothing is in service any more
  EXPECT_EQ(queue.leave(1), "B2 ");
}

REGISTER_TYPED_TEST_SUITE_P(FairQueueSequences, ServesTheFlowsInTurn, VisitsEveryFlowBetweenTwoPacketsOfOne,
                            AFlowThatComesBackIsLast, AnIndividualBufferLosesWhatArrives,
                            ASharedBufferTakesFromTheLongestQueuesFront,
                            OfSeveralLongestQueuesTheLowestFlowsLoses, WhatIsInServiceIsNotDropped);

}  // namespace kit
