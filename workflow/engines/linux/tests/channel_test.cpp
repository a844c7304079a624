// One direction of the link on a virtual clock. Expected times are computed by hand from the rate and the
// packet sizes.
#include "live/channel.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "milliseconds.hpp"

namespace linux_engine {
namespace {

ChannelSettings modem_link() {
  return {.rate_bit_per_s = 28'800,
          .propagation = 200 * ms,
          .queue_limit_packets = 3,
          .loss_probability = 0,
          .seed = 1,
          .stream = 0};
}

std::vector<std::byte> packet_of(std::size_t bytes, int mark = 0) {
  return std::vector<std::byte>(bytes, std::byte(mark));
}

std::vector<Nanoseconds> all_deliveries(Channel& channel) {
  std::vector<Nanoseconds> times;
  while (const auto due = channel.next_delivery()) {
    times.push_back(*due);
    channel.deliver();
  }
  return times;
}

TEST(Channel, DeliversALonePacketAfterTransmissionAndPropagation) {
  Channel channel(modem_link());
  // 296 bytes are 2368 bits: 2368 / 28800 s = 82.2222... ms.
  EXPECT_EQ(channel.offer(5 * ms, packet_of(296)), Channel::Fate::kCarried);
  EXPECT_EQ(all_deliveries(channel), (std::vector<Nanoseconds>{5 * ms + 82'222'222 + 200 * ms}));
}

TEST(Channel, CarriesFractionsOfANanosecondThroughABusyPeriod) {
  auto settings = modem_link();
  settings.queue_limit_packets = 9;
  Channel channel(settings);
  for (int i = 0; i < 9; ++i) {
    channel.offer(0, packet_of(296));
  }
  // k packets take k * 82222222.2222... ns; nine of them exactly 740 ms.
  const std::vector<Nanoseconds> transmitted{82'222'222,  164'444'444, 246'666'666, 328'888'888, 411'111'111,
                                             493'333'333, 575'555'555, 657'777'777, 740'000'000};
  auto times = all_deliveries(channel);
  for (auto& time : times) {
    time -= 200 * ms;
  }
  EXPECT_EQ(times, transmitted);
}

TEST(Channel, TransmitsATraceOfPacketsInOrder) {
  auto settings = modem_link();
  settings.rate_bit_per_s = 500'000;  // 16 us a byte
  Channel channel(settings);
  const auto trace = std::vector<std::pair<Nanoseconds, std::size_t>>{
      {0, 576},            // transmitted 0 to 9.216 ms
      {1 * ms, 40},        // waits: 9.216 to 9.856 ms
      {2 * ms, 576},       // waits: 9.856 to 19.072 ms
      {19'072'000, 576},   // arrives as the link falls idle: 19.072 to 28.288 ms
      {100 * ms, 100},     // finds the link idle: 100 to 101.6 ms
      {101'599'999, 20}};  // one nanosecond before its end: 101.6 to 101.92 ms
  for (const auto& [time, bytes] : trace) {
    EXPECT_EQ(channel.offer(time, packet_of(bytes)), Channel::Fate::kCarried);
  }
  EXPECT_EQ(all_deliveries(channel), (std::vector<Nanoseconds>{209'216'000, 209'856'000, 219'072'000,
                                                               228'288'000, 301'600'000, 301'920'000}));
}

TEST(Channel, DropsTheArrivalThatFindsTheQueueFull) {
  Channel channel(modem_link());
  using Fate = Channel::Fate;
  std::vector<Fate> fates;
  // At once: one in transmission, three waiting, the fifth and the sixth dropped.
  for (int i = 0; i < 6; ++i) {
    fates.push_back(channel.offer(0, packet_of(296, i)));
  }
  EXPECT_EQ(fates, (std::vector<Fate>{Fate::kCarried, Fate::kCarried, Fate::kCarried, Fate::kCarried,
                                      Fate::kDroppedByQueue, Fate::kDroppedByQueue}));
  // The second packet's transmission starts at 82,222,222.2 ns: only then is there room again.
  EXPECT_EQ(channel.offer(82'222'221, packet_of(296)), Fate::kDroppedByQueue);
  EXPECT_EQ(channel.offer(82'222'222, packet_of(296, 7)), Fate::kCarried);
  EXPECT_EQ(channel.counters().dropped_by_queue, 3U);
  std::vector<int> marks;
  while (channel.next_delivery()) {
    marks.push_back(static_cast<int>(channel.deliver().front()));
  }
  EXPECT_EQ(marks, (std::vector<int>{0, 1, 2, 3, 7}));
}

TEST(Channel, ALostPacketTakesItsTransmissionTime) {
  auto settings = modem_link();
  settings.rate_bit_per_s = 8'000;  // 1 ms a byte
  settings.loss_probability = 1;
  Channel lossy(settings);
  EXPECT_EQ(lossy.offer(0, packet_of(100)), Channel::Fate::kLostOnLink);
  EXPECT_FALSE(lossy.next_delivery());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(lossy.offer(0, packet_of(100)), Channel::Fate::kLostOnLink);
  }
  EXPECT_EQ(lossy.offer(0, packet_of(100)), Channel::Fate::kDroppedByQueue);
  EXPECT_EQ(lossy.offer(100 * ms, packet_of(100)), Channel::Fate::kLostOnLink);
}

TEST(Channel, CountsEveryPacketOnce) {
  auto settings = modem_link();
  settings.loss_probability = 0.3;
  Channel channel(settings);
  std::uint64_t delivered = 0;
  for (int i = 0; i < 5'000; ++i) {
    const Nanoseconds now = i * 60 * ms;  // more than the link carries
    while (channel.next_delivery() && *channel.next_delivery() <= now) {
      channel.deliver(), ++delivered;
    }
    channel.offer(now, packet_of(296));
  }
  delivered += all_deliveries(channel).size();
  const auto& counters = channel.counters();
  EXPECT_EQ(counters.offered, 5'000U);
  EXPECT_EQ(counters.delivered, delivered);
  EXPECT_EQ(counters.offered, counters.delivered + counters.lost_on_link + counters.dropped_by_queue);
  // Of every 82.2 ms, 60 are offered one packet: about 27 % find the queue full.
  EXPECT_NEAR(static_cast<double>(counters.dropped_by_queue) / 5'000, 1 - 60 / 82.2222, 0.01);
}

}  // namespace
}  // namespace linux_engine
