// The bottleneck queue against hand-worked sequences and Zaragoza's exact sums of section 4.4.

#include <gtest/gtest.h>

#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "queues/drop_tail_queue.hpp"
#include "tcp/newreno.hpp"

namespace packetsim {
namespace {

TEST(DropTailQueue, WorksAsByHand) {
  DropTailQueue queue(2, 10);
  EXPECT_EQ(queue.arrive(5), 15);       // finds 0
  EXPECT_EQ(queue.arrive(5), 25);       // finds 1
  EXPECT_EQ(queue.arrive(14), kNever);  // finds 2: full, the packet in service counted
  EXPECT_EQ(queue.arrive(15), 35);      // the departure at 15 comes first: finds 1
  EXPECT_EQ(queue.arrive(100), 110);    // long empty: finds 0
  queue.close_monitor(105);
  // 0 packets: 0-5, 35-100; 1: 25-35, 100-105; 2: 5-15, 15-25.
  EXPECT_EQ(queue.time_at(), (std::vector<Picoseconds>{70, 15, 20}));
  EXPECT_EQ(queue.arrivals_at(), (std::vector<std::int64_t>{2, 2, 1}));
}

TEST(DropTailQueue, ARestartedMonitorKeepsTheQueue) {
  DropTailQueue queue(5, 10);
  queue.arrive(0);
  queue.arrive(0);
  queue.restart_monitor(15);
  EXPECT_EQ(queue.arrive(16), 30);
  queue.close_monitor(20);
  EXPECT_EQ(queue.time_at(), (std::vector<Picoseconds>{0, 1, 4, 0, 0, 0}));
  EXPECT_EQ(queue.arrivals_at(), (std::vector<std::int64_t>{0, 1, 0, 0, 0, 0}));
}

// Section 4.4, case 1: a round with v window increases holds v (v + 2) packet transmission times of queue;
// the pairs of slow start arrive together. F 6, 14, 30 and 62 fill 2, 3, 4 and 5 rounds, with v = 1, 2, 4, 8,
// 16 in them.
TEST(QueueMonitor, SlowStartFillsTheQueueAsInSection44) {
  const std::int64_t file[] = {6, 14, 30, 62};
  const std::int64_t transmissions[] = {3 + 8, 3 + 8 + 24, 3 + 8 + 24 + 80, 3 + 8 + 24 + 80 + 288};
  for (int i = 0; i < 4; ++i) {
    Point point = lone_point(table_6_point(1, 1000), static_cast<std::int32_t>(file[i]));
    point.groups[0].access.rate_bit_per_s = 1e20;  // no transmission time at all
    point.egress.rate_bit_per_s = 1e9;
    point.bottleneck.delay_s = 0.1;
    Dumbbell<NewReno> dumbbell(point, 1);
    dumbbell.run_until_completed(1);
    Picoseconds integral = 0;
    const Measurements measured = dumbbell.measurements();
    for (std::size_t level = 0; level < measured.queue_time_at.size(); ++level) {
      integral += static_cast<Picoseconds>(level) * measured.queue_time_at[level];
    }
    EXPECT_EQ(integral, transmissions[i] * transmission_time(1500, 10e6)) << "file " << file[i];
  }
}

}  // namespace
}  // namespace packetsim
