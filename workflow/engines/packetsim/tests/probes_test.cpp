// The probes against transfers worked by hand.

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/probes/probe_set.hpp"
#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

constexpr double kPicosecond = 1e-12;

Point probed(Point point) {
  point.probes = {.capacity_sharing = true,
                  .drop_positions = true,
                  .loss_recovery = true,
                  .window_mean = true,
                  .size_intervals = {{1, 4, "1-4"}, {5, INT32_MAX, ">4"}}};
  return point;
}

// One transfer whose pairs reach a buffer of `buffer` packets together.
struct Transfer {
  explicit Transfer(std::int32_t file, std::int32_t buffer) {
    Point point = probed(isolated_point(table_6_point(1, buffer), file));
    point.groups[0].access.rate_bit_per_s = 1e20;
    point.dumbbell().egress.rate_bit_per_s = 1e20;
    point.dumbbell().bottleneck.delay_s = point.return_delay_s = 0.05;
    point.stop = {.connections = 1};
    const Measurements measured = simulate(point, 1);
    duration_s = seconds(measured.connections.duration);
    for (const Metric& metric : measured.probes.metrics) {
      metrics[metric.name] = metric.value;
    }
    for (const Distribution& distribution : measured.probes.distributions) {
      distributions[distribution.name] = distribution.counts;
    }
  }

  double duration_s = 0;
  std::map<std::string, double> metrics;
  std::map<std::string, std::vector<std::int64_t>> distributions;
};

constexpr double kRtt = 0.1 + 0.0012;

// A pair finds the queue empty and one packet in it; their acknowledgements come a packet time apart.
TEST(Probes, TracesOfATransfer) {
  Point point = isolated_point(table_6_point(1, 2), 3);
  point.probes.window_trace = point.probes.queue_trace = true;
  point.groups[0].access.rate_bit_per_s = 1e20;
  point.dumbbell().egress.rate_bit_per_s = 1e20;
  point.dumbbell().bottleneck.delay_s = point.return_delay_s = 0.05;
  point.stop = {.connections = 1};
  const auto traces = simulate(point, 1).probes.traces;
  ASSERT_EQ(traces.size(), 2U);
  const Trace& window = traces[0];
  const Trace& queue = traces[1];
  EXPECT_EQ(window.name, "window");
  EXPECT_EQ(window.value, (std::vector<double>{0, 3, 4, 0}));
  EXPECT_NEAR(window.time_s[2] - window.time_s[1], 0.0012, kPicosecond);
  EXPECT_NEAR(window.time_s[3] - window.time_s[1], kRtt, kPicosecond);
  EXPECT_EQ(queue.name, "queue");
  EXPECT_EQ(queue.value, (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(queue.time_s[1], queue.time_s[0]);
  EXPECT_NEAR(queue.time_s[2] - queue.time_s[0], kRtt, kPicosecond);
}

// Three packets, room for one: 2 is dropped behind 1, the acknowledgement of 1 lets 3 go, and there is
// nothing left that could make three duplicates. The timer runs from 3, at one round trip, for a second; 2
// takes one more.
TEST(Probes, ADropAtTheEndOfAFile) {
  Transfer transfer(3, 1);
  EXPECT_NEAR(transfer.duration_s, 1 + 2 * kRtt, kPicosecond);
  EXPECT_EQ(transfer.metrics.at("timeouts_per_drop"), 1);
  EXPECT_EQ(transfer.metrics.at("timeouts_at_end"), 1);
  EXPECT_EQ(transfer.metrics.at("timeouts_at_beginning"), 0);
  EXPECT_NEAR(transfer.metrics.at("stall_per_timeout"), 1, kPicosecond);
  EXPECT_NEAR(transfer.metrics.at("stalled_share[1-4]"), 1 / transfer.duration_s, kPicosecond);
  EXPECT_EQ(transfer.metrics.at("timeouts_per_drop[1-4]"), 1);
  EXPECT_EQ(transfer.metrics.count("file_size_mean[>4]"), 0U);
  EXPECT_EQ(transfer.distributions.at("drop_position")[2], 1);
  EXPECT_EQ(transfer.distributions.at("timeout_window")[3],
            1);  // window 3: packet 1 came through, packet 2 did not
  EXPECT_EQ(transfer.metrics.at("timeouts_in_slow_start"), 1);
  EXPECT_NEAR(transfer.metrics.at("send_rate"), 4 * 12000 / transfer.duration_s, 1e-6);
}

// Six packets, room for one: 2 and 4 are dropped, each behind its pair's first, and 3's acknowledgement is
// the only duplicate. 5 and 6 were not sent yet: a timeout at the beginning.
TEST(Probes, ADropAtTheBeginningOfAFile) {
  Transfer transfer(6, 1);
  EXPECT_EQ(transfer.distributions.at("drop_position")[2], 1);
  EXPECT_EQ(transfer.distributions.at("drop_position")[4], 1);
  EXPECT_GT(transfer.metrics.at("timeouts_at_beginning"), 0);
}

// Thirty packets, room for seven: of the pairs of the fourth flight, (15, 16) to (29, 30), one every 1.2 ms,
// the queue keeps one more each time until the second of (27, 28) and of (29, 30) find seven: 28 and 30 are
// dropped. Nothing new is left to send: only the timer helps 28, and then 30, sent again by the
// acknowledgement, follows.
TEST(Probes, TwoDropsOfOneFlight) {
  Transfer transfer(30, 7);
  EXPECT_EQ(transfer.distributions.at("drop_position")[28], 1);
  EXPECT_EQ(transfer.distributions.at("drop_position")[30], 1);
  EXPECT_EQ(transfer.metrics.at("timeouts_per_drop"), 0.5);
  EXPECT_EQ(transfer.metrics.at("timeouts_at_end"), 1);
}

// Forty packets, room for eight: of the fourth flight only 30 is dropped. Of the fifth, 31 to 40, the
// acknowledgements of 33 and more are duplicates for 30; the third one starts a recovery that succeeds with
// one retransmission. It is over before the file is, or with it.
TEST(Probes, AFastRecovery) {
  Transfer transfer(40, 8);
  EXPECT_EQ(transfer.distributions.at("drop_position")[30], 1);
  EXPECT_EQ(transfer.metrics.at("fast_retransmits_per_drop"), 1);
  EXPECT_EQ(transfer.metrics.at("recoveries_per_fast_retransmit"), 1);
  EXPECT_EQ(transfer.metrics.at("recovered_per_drop[>4]"), 1);
  EXPECT_EQ(transfer.distributions.at("recovery_retransmissions")[1], 1);
  EXPECT_EQ(transfer.metrics.count("timeouts_at_end"), 0U);
  // Nothing else is left in the network when the retransmission goes, so it takes an empty path's round trip.
  EXPECT_NEAR(transfer.metrics.at("time_per_recovery"), kRtt, kPicosecond);
}

// An isolated connection that never saturates its path has h_0 / C of the capacity, and j is 1.
TEST(Probes, AIsolatedConnectionsShareOfTheCapacity) {
  Point point = probed(isolated_point(table_6_point(1, 1000), 12));
  point.stop.connections = 20;
  const Measurements measured = simulate(point, 1);
  const double rate = 12 * 12000 / (seconds(measured.connections.duration) / 20);
  for (const Metric& metric : measured.probes.metrics) {
    if (metric.name == "capacity_share[1]") {
      EXPECT_NEAR(metric.value, rate / 10e6, 1e-12);
      return;
    }
  }
  FAIL() << "no capacity_share[1]";
}

// Watching changes nothing that is watched.
TEST(Probes, DoNotDisturb) {
  Point point = table_6_point(134, 50);
  point.stop.warmup_connections = 100;
  const auto plain = run_json(point, 4, simulate(point, 4), kEngine);
  const auto with_probes = run_json(point, 4, simulate(probed(point), 4), kEngine);
  EXPECT_EQ(plain["counters"], with_probes["counters"]);
  for (const auto& [name, value] : plain["metrics"].items()) {
    EXPECT_EQ(value, with_probes["metrics"][name]) << name;
  }
}

// What the intervals say adds up to what the whole says.
TEST(Probes, IntervalsAddUp) {
  Point point = probed(table_6_point(134, 50));
  point.stop.connections = 20'000;
  const auto metrics = run_json(point, 4, simulate(point, 4), kEngine)["metrics"];
  const auto value = [&](const char* name) { return metrics[name]["value"].get<double>(); };
  EXPECT_NEAR(value("file_share[1-4]") + value("file_share[>4]"), 1, 1e-12);
  EXPECT_NEAR(
      value("file_share[1-4]") * value("on_time[1-4]") + value("file_share[>4]") * value("on_time[>4]"),
      value("on_time"), 1e-12);
  EXPECT_NEAR(value("timeouts_repeated") + value("timeouts_in_recovery") + value("timeouts_at_end") +
                  value("timeouts_at_beginning") + value("timeouts_other"),
              1, 1e-12);
  // A repeated timeout comes at a window of 1, which is always slow start.
  EXPECT_GE(value("timeouts_in_slow_start"), value("timeouts_repeated"));
  EXPECT_LT(value("timeouts_in_slow_start"), 1);
  EXPECT_NEAR(value("send_rate_in_recovery"),
              value("packets_per_recovery") * 12000 / value("time_per_recovery"), 1e-6);
}

// A filter log of events given by hand, in seconds.
struct LogOfOne {
  FilterLog log{1, 8};

  LogOfOne() { log.transfer_started(0, 100); }
  void sent(std::initializer_list<std::int32_t> packets, double at) {
    for (const std::int32_t packet : packets) {
      log.packet_sent(0, packet, picoseconds(at));
    }
  }
  void missing(std::int32_t packet, double at) { log.acknowledgement(0, packet, picoseconds(at)); }
  void timeout(double at) { log.timed_out(0, {}, picoseconds(at)); }

  std::map<std::string, double> metrics() const {
    ProbeResults results;
    log.report(results);
    std::map<std::string, double> by_name;
    for (const Metric& metric : results.metrics) {
      by_name[metric.name] = metric.value;
    }
    return by_name;
  }
};

// 3 is lost and sent again; the acknowledgement that follows is of 6, which was sent before that.
TEST(FilterLog, ALossFoundByDuplicates) {
  LogOfOne one;
  one.sent({1, 2}, 0);
  one.missing(2, 1.0);
  one.sent({3, 4}, 1.0);
  one.missing(3, 1.1);
  one.sent({5, 6}, 1.1);
  one.missing(3, 2.0);
  one.missing(3, 2.1);
  one.missing(3, 2.2);
  one.sent({3}, 2.2);
  one.missing(7, 3.2);
  const auto metrics = one.metrics();
  EXPECT_NEAR(metrics.at("rtt_sample_mean"), (1.0 + 1.1) / 2, 1e-12);
  EXPECT_NEAR(metrics.at("outstanding_mean"), (1 + 2 + 2 + 3 + 3 + 4) / 6.0, 1e-12);
  EXPECT_NEAR(metrics.at("throughput_without_timeouts"), 2.5 / 1.05, 1e-12);
  EXPECT_NEAR(metrics.at("send_throughput"), 7 / 2.2, 1e-12);
  EXPECT_NEAR(metrics.at("loss_by_triplicates"), 1 / 7.0, 1e-12);
  EXPECT_NEAR(metrics.at("loss_by_post_loss"), 1 / 7.0, 1e-12);
  EXPECT_EQ(metrics.at("rtt_quantile[10]"), 1.0);
  EXPECT_EQ(metrics.at("rtt_quantile[11]"), 1.1);
  EXPECT_EQ(metrics.count("first_timeout_mean"), 0U);
}

// 1 comes through at the third attempt: no sample, for nobody knows which attempt was acknowledged.
TEST(FilterLog, ARowOfTimeoutsCountsItsFirst) {
  LogOfOne one;
  one.sent({1}, 0);
  one.timeout(1.5);
  one.sent({1}, 1.5);
  one.timeout(4.5);
  one.sent({1}, 4.5);
  one.missing(2, 5);
  const auto metrics = one.metrics();
  EXPECT_NEAR(metrics.at("first_timeout_mean"), 1.5, 1e-12);
  EXPECT_EQ(metrics.at("loss_by_triplicates"), 0);
  EXPECT_EQ(metrics.at("loss_by_post_loss"), 0);
  EXPECT_EQ(metrics.count("rtt_sample_mean"), 0U);
  EXPECT_EQ(metrics.count("rtt_quantile[1]"), 0U);
}

}  // namespace
}  // namespace packetsim
