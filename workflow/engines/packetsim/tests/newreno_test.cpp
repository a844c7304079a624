// The sender against sequences worked by hand from RFC 5681, RFC 6582, RFC 6298 and Zaragoza 2014,
// section 3.1.

#include "tcp/newreno.hpp"

#include <gtest/gtest.h>

#include "script.hpp"
#include "tcp/sender.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

TcpLimits limits(std::int32_t rwnd) {
  return {.rwnd = rwnd, .initial_window = 2, .min_rto = kSecond, .max_rto = 64 * kSecond};
}

TEST(NewReno, SlowStartSendsTwoForOne) {
  Script<NewReno> script(1000, limits(44));
  EXPECT_EQ(script.started(), (Packets{1, 2}));
  EXPECT_EQ(script.ack(2), (Packets{3, 4}));
  EXPECT_EQ(script.ack(3), (Packets{5, 6}));
  EXPECT_EQ(script.cwnd(), 4);
}

// "Without delayed acks L_SS = 2 W_R - 2": the last packet of the last pair.
TEST(NewReno, ReachesTheReceiversWindowAtTheLastPair) {
  for (const std::int32_t rwnd : {4, 12, 44}) {
    Script<NewReno> script(1000, limits(rwnd));
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
TEST(NewReno, RecoversTwoLossesAsInFigure1) {
  Script<NewReno> script(1000, limits(44));
  script.ack_all_below(5);
  ASSERT_EQ(script.cwnd(), 6);
  ASSERT_EQ(script.sender.tcp().outstanding(), 6);  // 5 to 10
  EXPECT_EQ(script.ack(5), Packets{});              // from 7
  EXPECT_EQ(script.ack(5), Packets{});              // from 8; no limited transmit
  EXPECT_EQ(script.ack(5), Packets{5});             // from 9: triple duplicate, nothing new is sent
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.cwnd(), 6);
  EXPECT_EQ(script.ack(5), Packets{11});  // from 10
  EXPECT_EQ(script.ack(6),
            (Packets{6, 12}));            // first loss recovered: the next is sent again, and a new packet
  EXPECT_EQ(script.ack(6), Packets{13});  // from 11
  EXPECT_EQ(script.ack(12), (Packets{14, 15}));  // all up to recover = 10: recovery over, window S + 1 = 4
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(13), Packets{16});  // congestion avoidance: one packet per window of acknowledgements
  EXPECT_EQ(script.ack(14), Packets{17});
  EXPECT_EQ(script.ack(15), Packets{18});
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(16), (Packets{19, 20}));
  EXPECT_EQ(script.cwnd(), 5);
}

TEST(NewReno, ThresholdIsHalfOfWhatIsOutstandingAndAtLeastTwo) {
  Script<NewReno> one(1000, limits(44));
  one.timeout();  // two outstanding
  EXPECT_EQ(one.ssthresh(), 2);
  Script<NewReno> many(1000, limits(44));
  many.ack_all_below(12);
  ASSERT_EQ(many.sender.tcp().outstanding(), 13);
  many.timeout();
  EXPECT_EQ(many.ssthresh(), 6);
}

TEST(NewReno, TimeoutGoesBackToTheFirstUnacknowledged) {
  Script<NewReno> script(1000, limits(44));
  script.ack_all_below(5);  // 5 to 10 outstanding
  EXPECT_EQ(script.timeout(), Packets{5});
  EXPECT_EQ(script.cwnd(), 1);
  EXPECT_EQ(script.ssthresh(), 3);
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));         // duplicates may be sent after a timeout
  EXPECT_EQ(script.ack(11), (Packets{11, 12, 13}));  // 6 to 10 had arrived
}

TEST(NewReno, ASecondTimeoutOfOnePacketKeepsTheThreshold) {
  Script<NewReno> script(1000, limits(44));
  script.ack_all_below(5);
  script.timeout();
  EXPECT_EQ(script.timeout(), Packets{5});
  EXPECT_EQ(script.ssthresh(), 3);
}

// RFC 6582: after a timeout, duplicate acknowledgements of what was sent before it start no recovery.
TEST(NewReno, DuplicatesAfterATimeoutStartNoRecovery) {
  Script<NewReno> script(1000, limits(44));
  script.ack_all_below(5);
  script.timeout();
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(script.ack(6), Packets{});
  }
  EXPECT_EQ(script.cwnd(), 2);
}

// ... but after a second timeout of the same packet they do ("thus all TD events are enabled").
TEST(NewReno, DuplicatesAfterTwoTimeoutsOfOnePacketStartARecovery) {
  Script<NewReno> script(1000, limits(44));
  script.ack_all_below(5);
  script.timeout();
  script.timeout();
  EXPECT_EQ(script.ack(6), (Packets{6, 7}));
  EXPECT_EQ(script.ack(6), Packets{});
  EXPECT_EQ(script.ack(6), Packets{});
  EXPECT_EQ(script.ack(6), Packets{6});
}

TEST(NewReno, RecoveryRestartsTheTimerOnEveryRetransmissionOnly) {
  Script<NewReno> script(1000, limits(44));
  script.ack_all_below(5);
  script.ack(5);
  script.ack(5);
  const Picoseconds before = script.sender.deadline();
  EXPECT_EQ(before, script.now - 2 * kMillisecond + script.sender.rto());  // from the last packets sent
  script.ack(5);
  EXPECT_EQ(script.sender.deadline(), script.now + script.sender.rto());
  const Picoseconds at_retransmission = script.sender.deadline();
  EXPECT_EQ(script.ack(5), Packets{11});
  EXPECT_EQ(script.sender.deadline(), at_retransmission);
  script.ack(6);
  EXPECT_EQ(script.sender.deadline(), script.now + script.sender.rto());
}

TEST(NewReno, NeverExceedsTheReceiversWindow) {
  Script<NewReno> script(1000, limits(8));
  for (std::int32_t missing = 2; missing < 100; ++missing) {
    script.ack(missing);
    ASSERT_LE(script.cwnd(), 8);
    ASSERT_LE(script.sender.tcp().outstanding(), 8);
  }
  for (int i = 0; i < 20; ++i) {
    script.ack(99);
    ASSERT_LE(script.sender.tcp().outstanding(), 8);
  }
}

TEST(NewReno, EndsWithTheLastAcknowledgement) {
  Script<NewReno> script(3, limits(44));
  script.ack(2);
  script.ack(3);
  EXPECT_FALSE(script.sender.done());
  script.ack(4);
  EXPECT_TRUE(script.sender.done());
  EXPECT_EQ(script.sender.deadline(), kNever);
}

class Rto : public testing::Test {
 protected:
  Picoseconds after(int samples, Picoseconds rtt) {
    estimator_.start(limits_);
    for (int i = 1; i <= samples; ++i) {
      estimator_.sent_new(i, 0);
      estimator_.acknowledged(i + 1, rtt, limits_);
    }
    return estimator_.rto();
  }

  TcpLimits limits_ = limits(44);
  RtoEstimator estimator_;
};

// "With R constant, the first measurement gives RTO = max(1 s, 3 R). On the tenth, max(1 s, 1.113 R), and on
// the twentieth, max(1 s, 1.006 R)." The tenth is 1 + 2 * 0.75^9 = 1.150, the eleventh 1.113, the
// twentieth 1.0085, the twenty-first 1.0063: the paper counts from 0.
TEST_F(Rto, FollowsTheStandard) {
  EXPECT_EQ(after(0, 0), kSecond);
  EXPECT_EQ(after(1, 2 * kSecond), 6 * kSecond);
  EXPECT_NEAR(seconds(after(11, 2 * kSecond)), 2 * 1.113, 0.001);
  EXPECT_NEAR(seconds(after(21, 2 * kSecond)), 2 * 1.006, 0.001);
  EXPECT_EQ(after(10, kSecond / 10), kSecond);
}

TEST_F(Rto, DoublesUpTo64Seconds) {
  EXPECT_EQ(after(1, kSecond / 10), kSecond);
  for (const int expected : {2, 4, 8, 16, 32, 64, 64}) {
    estimator_.back_off(limits_);
    EXPECT_EQ(estimator_.rto(), expected * kSecond);
  }
}

TEST_F(Rto, TimesOnePacketAtATime) {
  estimator_.start(limits_);
  estimator_.sent_new(1, 0);
  estimator_.sent_new(2, kSecond / 2);
  EXPECT_EQ(estimator_.acknowledged(1, kSecond, limits_), 0);
  EXPECT_EQ(estimator_.acknowledged(2, kSecond, limits_), kSecond);
  EXPECT_EQ(estimator_.acknowledged(3, kSecond, limits_), 0);
}

}  // namespace
}  // namespace packetsim
