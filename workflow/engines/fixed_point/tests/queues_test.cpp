// The shared router.

#include <gtest/gtest.h>

#include <vector>

#include "shared_router.hpp"

namespace fixed_point {
namespace {

// In the order of their departure; the router is emptied.
std::vector<std::size_t> departures(SharedRouter& router) {
  std::vector<std::size_t> users;
  while (router.next_departure() != kNever) {
    users.push_back(router.depart().user);
  }
  return users;
}

SharedRouter filled(const SharedBuffer& buffer, bool head_of_line_counts,
                    const std::vector<std::size_t>& users) {
  SharedRouter router(4, buffer, head_of_line_counts, 10);
  for (std::size_t i = 0; i < users.size(); ++i) {
    EXPECT_FALSE(router.arrive(users[i], i, 0)) << i;
  }
  return router;
}

TEST(SharedRouter, ServesUsersInTurn) {
  SharedRouter router = filled({.packets = 100}, true, {0, 0, 0, 1, 1, 2, 0});
  EXPECT_EQ(router.length(0), 4);
  EXPECT_EQ(router.present(), 7);
  EXPECT_EQ(router.backlogged(), 3);
  EXPECT_EQ(departures(router), (std::vector<std::size_t>{0, 0, 1, 2, 0, 1, 0}));
  EXPECT_EQ(router.present(), 0);
  EXPECT_EQ(router.backlogged(), 0);
}

TEST(SharedRouter, ServesAPacketInItsTime) {
  SharedRouter router = filled({.packets = 100}, true, {0, 1});
  EXPECT_EQ(router.next_departure(), 10);
  router.depart();
  EXPECT_EQ(router.next_departure(), 20);
  router.depart();
  EXPECT_EQ(router.next_departure(), kNever);
  router.arrive(3, 0, 35);
  EXPECT_EQ(router.next_departure(), 45);
}

TEST(SharedRouter, AsAFifoServesAndLosesInTheOrderOfArrival) {
  SharedRouter router =
      filled({.packets = 6, .drop = Drop::kArriving, .fifo = true}, true, {0, 0, 2, 0, 1, 0});
  const auto lost = router.arrive(3, 6, 0);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->user, 3U);
  EXPECT_EQ(router.depart().packet.number, 0U);
  EXPECT_FALSE(router.arrive(2, 7, 10));
  EXPECT_EQ(departures(router), (std::vector<std::size_t>{0, 2, 0, 1, 0, 2}));
}

TEST(SharedRouter, LosesTheLongestQueuesFirstPacket) {
  SharedRouter router = filled({.packets = 6}, true, {0, 1, 1, 1, 2, 2});
  const auto lost = router.arrive(3, 6, 0);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->user, 1U);
  EXPECT_EQ(lost->packet.number, 1U);
  EXPECT_EQ(router.present(), 6);
}

TEST(SharedRouter, LosesTheArrivingPacketIfItsQueueIsAsLong) {
  SharedRouter router = filled({.packets = 6}, true, {0, 1, 1, 1, 2, 2});
  const auto lost = router.arrive(2, 6, 0);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->user, 2U);
  EXPECT_EQ(lost->packet.number, 6U);
}

TEST(SharedRouter, BreaksATieByTheQueueThatHasBeenSoForLongest) {
  SharedRouter router = filled({.packets = 5}, true, {0, 2, 2, 1, 1});
  EXPECT_EQ(router.arrive(3, 5, 0)->user, 2U);
}

TEST(SharedRouter, LosesTheArrivingPacketWhereThatIsTheRule) {
  SharedRouter router = filled({.packets = 5, .drop = Drop::kArriving}, true, {0, 1, 1, 1, 1});
  EXPECT_EQ(router.arrive(3, 5, 0)->user, 3U);
}

// Four users' first packets beside a buffer of two.
TEST(SharedRouter, KeepsHeadsOfLineBesideTheBuffer) {
  SharedRouter router = filled({.packets = 2}, false, {0, 1, 2, 0, 1, 3});
  EXPECT_EQ(router.present(), 6);
  EXPECT_EQ(router.arrive(2, 6, 0)->user, 2U);
  SharedRouter own = filled({.packets = 2, .individual = true, .drop = Drop::kArriving}, false, {0, 0, 0, 1});
  EXPECT_TRUE(own.arrive(0, 4, 0));
  EXPECT_FALSE(own.arrive(1, 4, 0));
}

TEST(SharedRouter, GivesEachUserABufferOfHisOwn) {
  SharedRouter router =
      filled({.packets = 2, .individual = true, .drop = Drop::kArriving}, true, {0, 0, 1, 1});
  EXPECT_EQ(router.arrive(0, 4, 0)->packet.number, 4U);
  EXPECT_EQ(router.arrive(1, 5, 0)->packet.number, 5U);
  EXPECT_FALSE(router.arrive(2, 6, 0));
}

}  // namespace
}  // namespace fixed_point
