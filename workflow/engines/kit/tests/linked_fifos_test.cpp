// Queues in one pool against the standard library's, each by itself.

#include "kit/events/linked_fifos.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <random>
#include <vector>

namespace kit {
namespace {

TEST(LinkedFifos, TellsWhichItemIsTheOnlyOne) {
  LinkedFifos<int> pool;
  LinkedFifos<int>::Fifo fifo;
  EXPECT_TRUE(fifo.empty());
  EXPECT_TRUE(pool.push(fifo, 1));
  EXPECT_FALSE(pool.push(fifo, 2));
  EXPECT_EQ(pool.pop(fifo), 1);
  EXPECT_EQ(pool.pop(fifo), 2);
  EXPECT_TRUE(fifo.empty());
  EXPECT_TRUE(pool.push(fifo, 3));
}

// Long enough for the pool to grow several times and for its nodes to go from one queue to another.
TEST(LinkedFifos, KeepItemsInOrderWhateverHappensToTheOthers) {
  LinkedFifos<int> pool;
  std::vector<LinkedFifos<int>::Fifo> fifos(5);
  std::vector<std::deque<int>> expected(fifos.size());
  std::mt19937 random(1);
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t queue = random() % fifos.size();
    const bool filling = step / 2'000 % 2 == 0;
    if (random() % 3 < (filling ? 2 : 1)) {
      EXPECT_EQ(pool.push(fifos[queue], step), expected[queue].empty());
      expected[queue].push_back(step);
    } else if (!expected[queue].empty()) {
      ASSERT_EQ(pool.front(fifos[queue]), expected[queue].front());
      ASSERT_EQ(pool.pop(fifos[queue]), expected[queue].front());
      expected[queue].pop_front();
    }
    ASSERT_EQ(fifos[queue].empty(), expected[queue].empty());
  }
  for (std::size_t queue = 0; queue < fifos.size(); ++queue) {
    std::deque<int> items;
    pool.for_each(fifos[queue], [&](int item) { items.push_back(item); });
    EXPECT_EQ(items, expected[queue]);
  }
}

}  // namespace
}  // namespace kit
