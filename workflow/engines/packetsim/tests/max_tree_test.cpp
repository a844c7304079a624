#include "queues/max_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace packetsim {
namespace {

TEST(MaxTree, OfOneCounterTheFirstIsTheLargest) {
  MaxTree tree(1);
  EXPECT_EQ(tree.first_largest(), 0U);
  tree.add(0, 3);
  EXPECT_EQ(tree[0], 3);
  EXPECT_EQ(tree.first_largest(), 0U);
}

TEST(MaxTree, OfEqualCountersTheFirstIsTheLargest) {
  MaxTree tree(5);
  EXPECT_EQ(tree.first_largest(), 0U);
  tree.add(4, 2);
  EXPECT_EQ(tree.first_largest(), 4U);
  tree.add(2, 2);
  EXPECT_EQ(tree.first_largest(), 2U);
  tree.add(2, -1);
  EXPECT_EQ(tree.first_largest(), 4U);
}

TEST(MaxTree, IsRightAfterEveryOfManyChanges) {
  std::mt19937 random(1);
  for (const std::size_t counters : {2U, 7U, 64U, 100U}) {
    MaxTree tree(counters);
    std::vector<std::int32_t> expected(counters, 0);
    for (int step = 0; step < 2000; ++step) {
      const std::size_t counter = random() % counters;
      const std::int32_t change = expected[counter] > 0 && random() % 2 == 0 ? -1 : 1;
      expected[counter] += change;
      tree.add(counter, change);
      const auto largest = std::max_element(expected.begin(), expected.end());
      ASSERT_EQ(tree.first_largest(), static_cast<std::size_t>(largest - expected.begin()));
      ASSERT_EQ(tree[counter], expected[counter]);
    }
  }
}

}  // namespace
}  // namespace packetsim
