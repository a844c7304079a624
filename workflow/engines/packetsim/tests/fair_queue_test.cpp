// Fair queueing by the sequences that all engines follow, its queue monitor, and a FIFO where the two must be
// one.

#include "queues/fair_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kit/tests/fair_queue_sequences.hpp"
#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

// A service takes 10.
class Turns {
 public:
  Turns(std::int32_t buffer, bool shared) : queue(4, buffer, shared, Link(10)) {}

  void arrive(const std::string& packets) {
    for (std::size_t i = 0; i + 1 < packets.size(); i += 3) {
      const auto flow = static_cast<std::size_t>(packets[i] - 'A');
      const auto number = static_cast<std::uint64_t>(packets[i + 1] - '0');
      queue.arrive(flow, {flow << 8 | number, now},
                   [this](const FairQueue::Packet& packet) { dropped += name(packet); });
    }
  }

  // The clock goes with them.
  std::string leave(int count) {
    std::string left;
    for (int i = 0; i < count; ++i) {
      if (queue.next_departure() == kNever) {
        left += "- ";
      } else {
        now = queue.next_departure();
        left += name(queue.depart([](const FairQueue::Packet&) {}));
      }
    }
    return left;
  }

  std::size_t present() const { return queue.present(); }

  FairQueue queue;
  Picoseconds now = 0;
  std::string dropped;

 private:
  static std::string name(const FairQueue::Packet& packet) {
    return static_cast<char>('A' + (packet.payload >> 8)) + std::to_string(packet.payload & 0xff) + " ";
  }
};

TEST(FairQueue, MonitorsAsByHand) {
  Turns script(2, true);
  script.now = 5;
  script.arrive("A1 B1 C1");  // find 0, 1 and 2
  EXPECT_EQ(script.leave(1), "A1 ");
  EXPECT_EQ(script.now, 15);
  script.arrive("A2");  // finds 1
  script.leave(2);      // at 25 and 35
  script.queue.close_monitor(40);
  EXPECT_EQ(script.queue.time_at(), (std::vector<Picoseconds>{10, 10, 20}));
  EXPECT_EQ(script.queue.arrivals_at(), (std::vector<std::int64_t>{1, 2, 1}));
  EXPECT_EQ(script.queue.drops(), 1);
  script.queue.restart_monitor(40);
  EXPECT_EQ(script.queue.drops(), 0);
}

// A single flow takes all turns: individual buffers are then one drop-tail FIFO.
TEST(FairQueue, IsAFifoToOneFlow) {
  Point point = isolated_point(table_6_point(1, 8), 400);
  point.dumbbell().bottleneck.loss_probability = 0.01;
  point.stop = {.connections = 50};
  const Measurements expected = simulate(point, 4);
  point.dumbbell().bottleneck.queue = Bottleneck::Queue::kFairIndividual;
  const Measurements actual = simulate(point, 4);
  EXPECT_GT(expected.queue_drops, 100);
  EXPECT_GT(expected.counters.packets_lost, 100);
  EXPECT_EQ(actual.end, expected.end);
  EXPECT_EQ(actual.counters.packets_sent, expected.counters.packets_sent);
  EXPECT_EQ(actual.counters.packets_lost, expected.counters.packets_lost);
  EXPECT_EQ(actual.queue_drops, expected.queue_drops);
  EXPECT_EQ(actual.queue_time_at, expected.queue_time_at);
  EXPECT_EQ(actual.queue_arrivals_at, expected.queue_arrivals_at);
  EXPECT_EQ(actual.packets.round_trip_ps, expected.packets.round_trip_ps);
}

}  // namespace
}  // namespace packetsim

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, FairQueueSequences, packetsim::Turns);
}  // namespace kit
