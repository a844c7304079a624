#include "queues/longest_queues.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace packetsim {
namespace {

TEST(LongestQueues, OfEmptyQueuesTheFirstIsTheLongest) {
  const LongestQueues queues(1);
  EXPECT_EQ(queues.longest(), 0U);
  EXPECT_EQ(queues.first(), 0U);
}

TEST(LongestQueues, OfEqualQueuesTheFirstIsTheLongest) {
  LongestQueues queues(5);
  queues.move(4, 0, 1);
  queues.move(4, 1, 2);
  EXPECT_EQ(queues.first(), 4U);
  queues.move(2, 0, 1);
  queues.move(2, 1, 2);
  EXPECT_EQ(queues.first(), 2U);
  EXPECT_EQ(queues.longest(), 2U);
  queues.move(2, 2, 1);
  EXPECT_EQ(queues.first(), 4U);
}

// In one word of bits, in several and in many.
TEST(LongestQueues, AreRightAfterEveryOfManyChanges) {
  std::mt19937 random(1);
  for (const std::size_t count : {2U, 7U, 64U, 100U, 5000U}) {
    LongestQueues queues(count);
    std::vector<std::size_t> lengths(count, 0);
    for (int step = 0; step < 2000; ++step) {
      const std::size_t queue = random() % count;
      const std::size_t before = lengths[queue];
      lengths[queue] = before > 0 && random() % 2 == 0 ? before - 1 : before + 1;
      queues.move(queue, before, lengths[queue]);
      const auto longest = std::max_element(lengths.begin(), lengths.end());
      ASSERT_EQ(queues.longest(), *longest);
      if (*longest > 0) {
        ASSERT_EQ(queues.first(), static_cast<std::size_t>(longest - lengths.begin()));
      }
    }
  }
}

}  // namespace
}  // namespace packetsim
