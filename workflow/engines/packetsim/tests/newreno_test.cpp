// NewReno by the sequences that all engines follow; the retransmission timer by RFC 6298 and Zaragoza 2014,
// section 3.1.

#include "tcp/newreno.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "kit/tests/newreno_sequences.hpp"
#include "script.hpp"
#include "tcp/newreno_linux.hpp"
#include "tcp/sender.hpp"
#include "times.hpp"

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, NewRenoSequences, packetsim::Script<packetsim::NewReno>);
}  // namespace kit

namespace packetsim {
namespace {

TEST(NewReno, RecoveryRestartsTheTimerOnEveryRetransmissionOnly) {
  Script<NewReno> script;
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

TEST(NewReno, EndsWithTheLastAcknowledgement) {
  Script<NewReno> script({}, 3);
  script.ack(2);
  script.ack(3);
  EXPECT_FALSE(script.sender.done());
  script.ack(4);
  EXPECT_TRUE(script.sender.done());
  EXPECT_EQ(script.sender.deadline(), kNever);
}

// Windows and packets sent at each acknowledgement as Linux 6.1's log of its own sender has them: 267 kbit/s,
// 208 ms, a buffer of five packets, no SACK. Five packets of the first window arrive, five are dropped.
TEST(NewRenoLinux, GoesThroughARecoveryAsTheKernelDoes) {
  Script<NewRenoLinux> script({.rwnd = 100, .initial_window = 10});
  script.ack_all_below(6);
  EXPECT_EQ(script.sender.window_view().cwnd, 15);
  using Step = std::pair<std::int32_t, Packets>;
  const auto step = [&](std::int32_t missing) {
    const Packets sent = script.ack(missing);
    return Step(script.sender.window_view().cwnd, sent);
  };
  // New packets by the first two duplicates (RFC 3042), then PRR to half of the window.
  for (const Step& wanted : {Step(15, {21}),
                             {15, {22}},
                             {14, {6}},
                             {13, {}},
                             {13, {23}},
                             {12, {}},
                             {12, {24}},
                             {11, {}},
                             {11, {25}},
                             {10, {}}}) {
    EXPECT_EQ(step(6), wanted);
  }
  EXPECT_EQ(script.ssthresh(), 7);
  // A partial acknowledgement's hole is repaired; four duplicates on, a new packet may go.
  for (const Step& wanted : {Step(9, {7}), {8, {}}, {7, {}}, {7, {26}}}) {
    EXPECT_EQ(step(7), wanted);
  }
  EXPECT_EQ(step(8), Step(7, {8, 27}));
}

// All of ten packets are lost but the last: a timeout sends them again, and duplicates begin no recovery.
TEST(NewRenoLinux, RecoversFromATimeoutBySlowStart) {
  Script<NewRenoLinux> script({.rwnd = 100, .initial_window = 10});
  EXPECT_EQ(script.ack(1), Packets{11});
  EXPECT_EQ(script.timeout(), Packets{1});
  EXPECT_EQ(script.ssthresh(), 5);
  EXPECT_EQ(script.ack(2), (Packets{2, 3}));
  for (int duplicate = 0; duplicate < 4; ++duplicate) {
    EXPECT_EQ(script.ack(2), Packets{});
  }
  EXPECT_EQ(script.sender.window_view().cwnd, 2);
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

  TcpLimits limits_{
      .rwnd = 44, .initial_window = 2, .ssthresh = 44, .min_rto = kSecond, .max_rto = 64 * kSecond};
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
