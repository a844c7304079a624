#include "kit/local_loop/exact_run.hpp"

#include <nlohmann/json.hpp>

#include "kit/local_loop/write_run.hpp"

namespace kit {
namespace {

double quotient(double numerator, double denominator) {
  return denominator == 0 ? 0 : numerator / denominator;
}

double quotient(std::int64_t numerator, std::int64_t denominator) {
  return quotient(static_cast<double>(numerator), static_cast<double>(denominator));
}

local_loop::Summary summary_of(const LoopMeasurements& measured, double packet_bits) {
  const LoopSums& sums = measured.sums;
  const double time_s = seconds(measured.measured);
  double queue_packet_s = 0;
  for (std::size_t level = 0; level < measured.queue_time_at.size(); ++level) {
    queue_packet_s += static_cast<double>(level) * seconds(measured.queue_time_at[level]);
  }
  return {.goodput_bit_per_s = packet_bits * quotient(static_cast<double>(sums.useful), sums.user_on_s),
          .send_rate_bit_per_s = packet_bits * quotient(static_cast<double>(sums.sent), sums.user_on_s),
          .loss_ratio = quotient(sums.dropped, sums.sent),
          .timeout_ratio = quotient(sums.timeouts, sums.sent),
          .idle_ratio = quotient(sums.idle_restarts, sums.sent),
          .rtt_s = quotient(sums.round_trip_s, static_cast<double>(sums.carried)),
          .on_time_s = quotient(sums.on_time_s, static_cast<double>(measured.bursts.size())),
          .utilisation = 1 - quotient(seconds(measured.queue_time_at.front()), time_s),
          .queue_packets = quotient(queue_packet_s, time_s)};
}

local_loop::DrawnError drawn_error(const LoopSums& sums, const local_loop::Workload& asked) {
  return {
      .burst = quotient(sums.burst_packets, static_cast<double>(sums.bursts_begun)) / asked.burst_mean - 1,
      .think_time =
          quotient(sums.think_time_s, static_cast<double>(sums.think_times_begun)) / asked.think_mean_s - 1};
}

}  // namespace

Json local_loop_run(const LocalLoopPoint& point, std::uint64_t seed, const LoopMeasurements& measurements,
                    const Engine& engine) {
  const local_loop::Settings& settings = point.settings;
  const LoopCounters& counters = measurements.counters;
  Json metrics = Json::object();
  if (settings.workload) {
    add_drawn_error(metrics, drawn_error(measurements.sums, *settings.workload), point.drawn_tolerance);
  }
  add_metrics(metrics, settings, summary_of(measurements, 8.0 * settings.packet_bytes), measurements.bursts);
  if (measurements.sums.rtt_samples > 0) {
    local_loop::add_metric(
        metrics, "rtt_sender_mean", "s",
        quotient(measurements.sums.rtt_samples_s, static_cast<double>(measurements.sums.rtt_samples)));
  }
  Json run = run_head(point, seed, measurements.end, engine);
  run["counters"] = {{"connections_completed", counters.bursts},
                     {"packets_sent", counters.sent},
                     {"packets_delivered", counters.delivered},
                     {"packets_dropped", counters.dropped},
                     {"packets_lost", 0},
                     {"packets_in_flight", counters.in_flight},
                     {"events", counters.events}};
  run["metrics"] = metrics;
  run["distributions"] = local_loop::distributions(settings, measurements.bursts, measurements.blocks_per_s);
  add_trace(run, measurements.sent);
  return run;
}

}  // namespace kit
