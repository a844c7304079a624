#include "kit/events/queue_lengths.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "kit/random/random.hpp"

namespace kit {
namespace {

// Against counting through all queues.
TEST(QueueLengths, KnowsTheLongest) {
  Random random(1, Stream::kUserStarts);
  constexpr std::size_t kQueues = 7;
  QueueLengths lengths(kQueues);
  std::vector<int> plain(kQueues);
  std::vector<int> since(kQueues);
  for (int i = 0; i < 100'000; ++i) {
    const std::size_t queue = random.bits() % kQueues;
    const int change = plain[queue] > 0 && random.bits() % 2 == 0 ? -1 : 1;
    lengths.add(queue, change);
    plain[queue] += change;
    since[queue] = i;
    std::size_t longest = 0;
    for (std::size_t other = 1; other < kQueues; ++other) {
      if (plain[other] > plain[longest] ||
          (plain[other] == plain[longest] && since[other] < since[longest])) {
        longest = other;
      }
    }
    ASSERT_EQ(lengths.longest(), static_cast<std::size_t>(plain[longest]));
    if (plain[longest] > 0) {
      ASSERT_EQ(lengths.first(), longest);
    }
  }
}

}  // namespace
}  // namespace kit
