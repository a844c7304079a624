#include "run/simulate_local_loop.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>

#include "kit/local_loop/write_run.hpp"
#include "kit/main/run.hpp"
#include "network/local_loop.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

template <class Connection, class Queue>
LoopMeasurements run(const LocalLoopPoint& point, std::uint64_t seed, const Progress& progress) {
  constexpr std::int64_t kProgressReports = 20;
  LocalLoop<Connection, Queue> loop(point.settings, seed);
  loop.run_until_sent(point.warmup_packets);
  loop.restart_measurements();
  for (std::int64_t report = 1; report <= kProgressReports; ++report) {
    loop.run_until_sent(report < kProgressReports ? point.stop_packets / kProgressReports * report
                                                  : point.stop_packets);
    if (progress) {
      progress(report, kProgressReports);
    }
  }
  return loop.measurements();
}

double ratio(double numerator, double denominator) { return denominator == 0 ? 0 : numerator / denominator; }

double ratio(std::int64_t numerator, std::int64_t denominator) {
  return ratio(static_cast<double>(numerator), static_cast<double>(denominator));
}

kit::local_loop::Summary summary_of(const LoopMeasurements& measured, double packet_bits) {
  const LoopSums& sums = measured.sums;
  const double time_s = seconds(measured.measured);
  double queue_packet_s = 0;
  for (std::size_t level = 0; level < measured.queue_time_at.size(); ++level) {
    queue_packet_s += static_cast<double>(level) * seconds(measured.queue_time_at[level]);
  }
  return {.goodput_bit_per_s = packet_bits * ratio(static_cast<double>(sums.useful), sums.user_on_s),
          .send_rate_bit_per_s = packet_bits * ratio(static_cast<double>(sums.sent), sums.user_on_s),
          .loss_ratio = ratio(sums.dropped, sums.sent),
          .timeout_ratio = ratio(sums.timeouts, sums.sent),
          .idle_ratio = ratio(sums.idle_restarts, sums.sent),
          .rtt_s = ratio(sums.round_trip_s, static_cast<double>(sums.carried)),
          .on_time_s = ratio(sums.on_time_s, static_cast<double>(measured.bursts.size())),
          .utilisation = 1 - ratio(seconds(measured.queue_time_at.front()), time_s),
          .queue_packets = ratio(queue_packet_s, time_s)};
}

kit::local_loop::DrawnError drawn_error(const LoopSums& sums, const kit::local_loop::Workload& asked) {
  return {.burst = ratio(sums.burst_packets, static_cast<double>(sums.bursts_begun)) / asked.burst_mean - 1,
          .think_time =
              ratio(sums.think_time_s, static_cast<double>(sums.think_times_begun)) / asked.think_mean_s - 1};
}

}  // namespace

LoopMeasurements simulate_local_loop(const LocalLoopPoint& point, std::uint64_t seed,
                                     const Progress& progress) {
  using Readings = kit::local_loop::Readings;
  const auto by_queue = [&]<class Connection>(std::type_identity<Connection>) {
    if (point.settings.buffer.fifo) {
      return run<Connection, DropTailQueue>(point, seed, progress);
    }
    return point.settings.readings.head_of_line_in_buffer
               ? run<Connection, LoopQueue<false>>(point, seed, progress)
               : run<Connection, LoopQueue<true>>(point, seed, progress);
  };
  return point.settings.readings.loss_detection == Readings::LossDetection::kInstantaneous
             ? by_queue(std::type_identity<InformedConnection>())
             : by_queue(std::type_identity<CumulativeConnection>());
}

Json local_loop_run(const LocalLoopPoint& point, std::uint64_t seed, const LoopMeasurements& measurements) {
  const kit::local_loop::Settings& settings = point.settings;
  const LoopCounters& counters = measurements.counters;
  Json metrics = Json::object();
  if (settings.workload) {
    add_drawn_error(metrics, drawn_error(measurements.sums, *settings.workload), point.drawn_tolerance);
  }
  add_metrics(metrics, settings, summary_of(measurements, 8.0 * settings.packet_bytes), measurements.bursts);
  if (measurements.sums.rtt_samples > 0) {
    kit::local_loop::add_metric(
        metrics, "rtt_sender_mean", "s",
        ratio(measurements.sums.rtt_samples_s, static_cast<double>(measurements.sums.rtt_samples)));
  }
  Json run = run_head(point, seed, measurements.end, kEngine);
  run["counters"] = {{"connections_completed", counters.bursts},
                     {"packets_sent", counters.sent},
                     {"packets_delivered", counters.delivered},
                     {"packets_dropped", counters.dropped},
                     {"packets_lost", 0},
                     {"packets_in_flight", counters.in_flight},
                     {"events", counters.events}};
  run["metrics"] = metrics;
  run["distributions"] =
      kit::local_loop::distributions(settings, measurements.bursts, measurements.blocks_per_s);
  add_trace(run, measurements.sent);
  return run;
}

}  // namespace packetsim
