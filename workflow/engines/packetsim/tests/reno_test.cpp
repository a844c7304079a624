// Reno against sequences worked by hand from RFC 5681, section 3.2, and Fall and Floyd 1996, section 3.

#include "tcp/reno.hpp"

#include <gtest/gtest.h>

#include "script.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

Script<Reno> reno_script(std::int32_t initial_window = 2, std::int32_t rwnd = 44) {
  return {1000,
          {.rwnd = rwnd, .initial_window = initial_window, .min_rto = kSecond, .max_rto = 64 * kSecond}};
}

// The window is 8 and packet 7 of 7..14 is lost.
TEST(Reno, RecoversOneLossOfAWindow) {
  auto script = reno_script();
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
  EXPECT_TRUE(script.sender.in_recovery());
  EXPECT_EQ(script.ack(15), Packets{18});  // from the second 7: the window is 4, and 15 to 17 are out
  EXPECT_FALSE(script.sender.in_recovery());
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(16), Packets{19});  // congestion avoidance: a packet more after four acknowledgements
  EXPECT_EQ(script.ack(17), Packets{20});
  EXPECT_EQ(script.ack(18), Packets{21});
  EXPECT_EQ(script.ack(19), (Packets{22, 23}));
  EXPECT_EQ(script.cwnd(), 5);
}

// Of the same window 7 and 8 are lost. The second 7 ends the recovery with a window of 4 and 9 packets out,
// of which three are yet to be answered: 15 to 17 tell of the second loss, and the window is halved again.
TEST(Reno, HalvesTwiceForTwoLosses) {
  auto script = reno_script();
  script.ack_all_below(7);
  script.ack(7);                          // from 9
  script.ack(7);                          // from 10
  EXPECT_EQ(script.ack(7), Packets{7});   // from 11
  EXPECT_EQ(script.ack(7), Packets{});    // from 12
  EXPECT_EQ(script.ack(7), Packets{15});  // from 13
  EXPECT_EQ(script.ack(7), Packets{16});  // from 14
  EXPECT_EQ(script.ack(8), Packets{});    // from the second 7
  EXPECT_FALSE(script.sender.in_recovery());
  EXPECT_EQ(script.cwnd(), 4);
  EXPECT_EQ(script.ack(8), Packets{});  // from 15
  EXPECT_EQ(script.ack(8), Packets{});  // from 16: no third will come
  EXPECT_EQ(script.timeout(), Packets{8});
  EXPECT_EQ(script.ssthresh(), 2);
  EXPECT_EQ(script.cwnd(), 1);
}

// The window is 12 and 11 and 12 of 11..22 are lost: here enough duplicates are left for the second.
TEST(Reno, HalvesTwiceForTwoLossesOfALargeWindow) {
  auto script = reno_script();
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

TEST(Reno, DuplicatesAfterATimeoutStartNoRecovery) {
  auto script = reno_script();
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
TEST(Reno, RecoversTheLossOfTheFirstPacket) {
  auto script = reno_script(4);
  script.ack(1);
  script.ack(1);
  EXPECT_EQ(script.ack(1), Packets{1});
  EXPECT_EQ(script.ack(5), (Packets{5, 6}));
}

TEST(Reno, NeverExceedsTheReceiversWindow) {
  auto script = reno_script(2, 8);
  script.ack_all_below(40);
  for (int i = 0; i < 20; ++i) {
    script.ack(40);
    ASSERT_LE(script.cwnd(), 8);
    ASSERT_LE(script.sender.tcp().outstanding(), 8);
  }
}

}  // namespace
}  // namespace packetsim
