#include "kit/local_loop/write_run.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "kit/local_loop/settings_of.hpp"

namespace kit::local_loop {
namespace {

// The authors' granularity of the instantaneous goodput (section 7.1).
constexpr double kGranularity = 10e3;

// By the time that users are on, and as the authors print them: until the last packet arrives, rounded up.
void add_guarantees(Json& metrics, const std::vector<Burst>& bursts, double packet_bits) {
  const std::vector<double> rates = file_rates(bursts, packet_bits);
  const std::vector<double> arrivals = arrival_rates(bursts, packet_bits);
  for (const int share : {95, 90, 80, 50}) {
    const std::string of = of_class(std::to_string(share));
    add_metric(metrics, "guaranteed_goodput" + of, "bit/s", guaranteed_rate(rates, share / 100.0));
    add_metric(metrics, "guaranteed_goodput_coarse" + of, "bit/s",
               guaranteed_rate(arrivals, share / 100.0, kGranularity));
  }
}

// Share of the rates in each interval of 10 kbit/s.
Json distribution(const std::vector<double>& sorted_rates) {
  const auto cell = [](double rate) { return static_cast<std::size_t>(rate / kGranularity); };
  std::vector<double> shares(cell(sorted_rates.back()) + 1);
  for (const double rate : sorted_rates) {
    shares[cell(rate)] += 1;
  }
  // Counted first: a sum of small shares comes out above 1.
  for (double& share : shares) {
    share /= static_cast<double>(sorted_rates.size());
  }
  return {{"unit", "10 kbit/s"}, {"probability", shares}};
}

double quotient(double numerator, double denominator) {
  return denominator == 0 ? 0 : numerator / denominator;
}

double quotient(std::int64_t numerator, std::int64_t denominator) {
  return quotient(static_cast<double>(numerator), static_cast<double>(denominator));
}

Summary summary_of(const Measurements& measured, double packet_bits) {
  const LoopSums& sums = measured.loop->sums;
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
          .on_time_s = quotient(sums.on_time_s, static_cast<double>(measured.loop->bursts.size())),
          .utilisation = 1 - quotient(seconds(measured.queue_time_at.front()), time_s),
          .queue_packets = quotient(queue_packet_s, time_s)};
}

DrawnError drawn_error(const LoopSums& sums, const Workload& asked) {
  return {
      .burst = quotient(sums.burst_packets, static_cast<double>(sums.bursts_begun)) / asked.burst_mean - 1,
      .think_time =
          quotient(sums.think_time_s, static_cast<double>(sums.think_times_begun)) / asked.think_mean_s - 1};
}

}  // namespace

bool DrawnError::holds(double tolerance) const {
  return std::fabs(burst) <= tolerance && std::fabs(think_time) <= tolerance;
}

std::string of_class(const std::string& name) {
  std::string result = "[";
  return result.append(name).append("]");
}

void add_metric(Json& metrics, const std::string& name, const char* unit, double value) {
  metrics[name] = {{"unit", unit}, {"value", value}};
}

void add_drawn_error(Json& metrics, const DrawnError& error, double tolerance) {
  add_metric(metrics, "burst_error", "1", error.burst);
  add_metric(metrics, "think_time_error", "1", error.think_time);
  add_metric(metrics, "environment_holds", "1", error.holds(tolerance));
}

void add_metrics(Json& metrics, const Settings& settings, const Summary& summary,
                 const std::vector<Burst>& bursts) {
  const double bits = 8.0 * settings.packet_bytes;
  if (settings.workload) {
    add_metric(metrics, "goodput_per_connection", "bit/s", summary.goodput_bit_per_s);
    add_metric(metrics, "send_rate_per_connection", "bit/s", summary.send_rate_bit_per_s);
    add_metric(metrics, "idle_restarts_per_packet", "1", summary.idle_ratio);
  } else {
    add_metric(metrics, "goodput_per_source", "packets/s", summary.goodput_bit_per_s / bits);
    add_metric(metrics, "send_rate_per_source", "packets/s", summary.send_rate_bit_per_s / bits);
  }
  add_metric(metrics, "loss_ratio", "1", summary.loss_ratio);
  add_metric(metrics, "timeouts_per_packet", "1", summary.timeout_ratio);
  add_metric(metrics, "rtt_path_mean", "s", summary.rtt_s);
  add_metric(metrics, "utilisation", "1", summary.utilisation);
  add_metric(metrics, "queue_mean", "packets", summary.queue_packets);
  if (!bursts.empty()) {
    add_metric(metrics, "on_time", "s", summary.on_time_s);
    add_guarantees(metrics, bursts, bits);
  }
}

Json distributions(const Settings& settings, const std::vector<Burst>& bursts,
                   const std::vector<std::vector<float>>& blocks_per_s) {
  Json json = Json::object();
  const double bits = 8.0 * settings.packet_bytes;
  const auto add = [&](const std::string& name, const std::vector<double>& sorted_rates) {
    if (!sorted_rates.empty()) {
      json[name] = distribution(sorted_rates);
    }
  };
  if (settings.workload) {
    add("goodput_by_burst", file_rates(bursts, bits));
    for (std::size_t index = 0; index < settings.quality_packets.size(); ++index) {
      const std::int32_t xi = settings.quality_packets[index];
      const std::string of = of_class(std::to_string(xi));
      add("goodput_by_packets" + of, block_rates(blocks_per_s[index], bits));
      add("goodput_by_long_burst" + of, file_rates(bursts, bits, xi));
    }
  }
  return json;
}

void add_trace(Json& run, const SendTrace& trace) {
  if (!trace.time_s.empty()) {
    run["traces"]["packet_sent"] = {{"unit", "packets"}, {"time_s", trace.time_s}, {"value", trace.number}};
  }
}

void add_loop(Json& run, const Point& point, const Measurements& measured) {
  const Settings settings = network_of(point);
  const LoopMeasurements& loop = *measured.loop;
  Json metrics = Json::object();
  if (settings.workload) {
    add_drawn_error(metrics, drawn_error(loop.sums, *settings.workload), point.fixed_point->environment);
  }
  add_metrics(metrics, settings, summary_of(measured, 8.0 * settings.packet_bytes), loop.bursts);
  if (loop.sums.rtt_samples > 0) {
    add_metric(metrics, "rtt_sender_mean", "s",
               quotient(loop.sums.rtt_samples_s, static_cast<double>(loop.sums.rtt_samples)));
  }
  run["metrics"] = metrics;
  run["distributions"] = distributions(settings, loop.bursts, loop.blocks_per_s);
  add_trace(run, loop.sent);
}

}  // namespace kit::local_loop
