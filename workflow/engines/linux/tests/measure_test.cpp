// A log made by hand: what it tells of the transfer, and of the bottleneck.

#include "live/measure.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace linux_engine {
namespace {

constexpr Nanoseconds ms = 1'000'000;
constexpr std::uint32_t kFirstSeq = 0xffffff00;  // sequence numbers wrap

// 152 bytes are a segment of 100; one takes 100 ms.
Settings slow_link() {
  Settings settings;
  settings.rate_bit_per_s = 12'160;
  settings.propagation = 200 * ms;
  settings.queue_packets = 3;
  settings.mtu_bytes = 152;
  return settings;
}

class Log {
 public:
  Log() {
    add(0, End::kSender, 0, kFirstSeq, 0);
    add(400, End::kReceiver, 0, 0, kFirstSeq + 1);
  }
  void data(std::int64_t at, std::uint32_t segment) {
    add(at, End::kSender, 100, kFirstSeq + 1 + (segment - 1) * 100, 1);
  }
  // `next`: the first segment that is missing.
  void acknowledgement(std::int64_t at, std::uint32_t next, std::uint32_t extra = 0,
                       unsigned window = 6'400) {
    add(at, End::kReceiver, 0, 1, kFirstSeq + 1 + (next - 1) * 100 + extra, window);
  }

  std::vector<LoggedPacket> packets;

 private:
  void add(std::int64_t at, End from, std::int64_t payload, std::uint32_t seq, std::uint32_t ack,
           unsigned window = 6'400) {
    packets.push_back({at * ms, from, payload + 52, payload, seq, ack, window});
  }
};

kit::Measurements measured(const Log& log) {
  kit::Point point;
  point.probes.filter_log = true;
  return measure(point, slow_link(), log.packets,
                 {.offered = 12, .dropped_by_queue = 1, .lost_on_link = 1, .delivered = 10});
}

std::map<std::string, double> by_name(const kit::Measurements& found) {
  std::map<std::string, double> values;
  for (const kit::Metric& metric : found.probes.metrics) {
    values[metric.name] = metric.value;
  }
  return values;
}

// Segment 2 is lost and repaired by a fast retransmit; segment 6, the last one, is repaired by the timer.
Log two_losses() {
  Log log;
  for (std::uint32_t segment = 1; segment <= 5; ++segment) {
    log.data(500 + segment, segment);
  }
  log.acknowledgement(901, 2);  // a sample of 400 ms
  for (int i = 1; i <= 3; ++i) {
    log.acknowledgement(1'001 + i, 2);
  }
  log.data(1'004, 2);
  log.acknowledgement(1'404, 6);  // segment 5 left before segment 2 was sent again
  log.data(1'404, 6);
  log.data(2'404, 6);
  log.acknowledgement(2'804, 7, 1);
  return log;
}

TEST(Measure, CountsAsSection72Does) {
  auto values = by_name(measured(two_losses()));
  EXPECT_DOUBLE_EQ(values["rtt_sample_mean"], 0.4);
  EXPECT_DOUBLE_EQ(values["loss_by_triplicates"], 1.0 / 8);
  EXPECT_DOUBLE_EQ(values["loss_by_post_loss"], 1.0 / 8);
  EXPECT_DOUBLE_EQ(values["outstanding_mean"], (1 + 2 + 3 + 4 + 5 + 1) / 6.0);
  EXPECT_DOUBLE_EQ(values["send_throughput"], 8 / (2.404 - 0.501));
  EXPECT_DOUBLE_EQ(values["first_timeout_mean"], 1);
}

TEST(Measure, TheTransferGoesFromSynToTheLastPacket) {
  const kit::Measurements found = measured(two_losses());
  EXPECT_EQ(found.end, 2'804'000'000'000);
  EXPECT_EQ(found.packets.acknowledged, 6);
  EXPECT_EQ(found.counters.packets_in_flight, 0);
  EXPECT_EQ(found.random_losses, 1);
}

TEST(Measure, NewsOfTheWindowIsNoDuplicate) {
  Log log;
  for (std::uint32_t segment = 1; segment <= 6; ++segment) {
    log.data(500 + segment, segment);
  }
  for (unsigned i = 0; i < 6; ++i) {
    log.acknowledgement(901 + i, 2, 0, 6'000 + i);
  }
  EXPECT_EQ(by_name(measured(log)).at("loss_by_triplicates"), 0);
}

// From 501 ms on five packets come in 4 ms, and the buffer holds four; the SYN of 52 bytes took 34.2 ms.
TEST(Measure, TheQueueIsWhatTheLinkMadeOfTheArrivals) {
  Log log;
  for (std::uint32_t segment = 1; segment <= 5; ++segment) {
    log.data(500 + segment, segment);
  }
  log.acknowledgement(2'000, 2);
  const kit::Measurements found = measured(log);
  EXPECT_EQ(found.queue_drops, 1);
  EXPECT_EQ(found.queue_arrivals_at, (std::vector<std::int64_t>{2, 1, 1, 1, 1}));
  EXPECT_EQ(found.packets.carried, 5);
  const auto in_ms = [](kit::Picoseconds time) { return kit::seconds(time) * 1e3; };
  EXPECT_NEAR(in_ms(found.queue_time_at[4]), 601 - 504, 1e-9);
  EXPECT_NEAR(in_ms(found.queue_time_at[3]), 100 + 1, 1e-9);
  EXPECT_NEAR(in_ms(found.queue_time_at[2]), 100 + 1, 1e-9);
  EXPECT_NEAR(in_ms(found.queue_time_at[1]), 100 + 1 + 52 * 8 / 12.16, 1e-5);
  EXPECT_NEAR(in_ms(found.queue_time_at[0]), 2'000 - 400 - 52 * 8 / 12.16, 1e-5);
  // The way takes 400 ms beside waiting and transmission: of segments 1 to 4 they end at 601, 701, 801, 901.
  EXPECT_NEAR(found.packets.round_trip_ps / 1e9,
              5 * 400 + 52 * 8 / 12.16 + (601 - 501) + (701 - 502) + (801 - 503) + (901 - 504), 1e-5);
}

}  // namespace
}  // namespace linux_engine
