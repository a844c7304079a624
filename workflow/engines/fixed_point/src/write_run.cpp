#include "write_run.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "quality.hpp"

namespace fixed_point {
namespace {

using kit::Json;

// The authors' granularity of the instantaneous goodput (section 7.1).
constexpr double kGranularity = 10e3;

// What a metric is of, in brackets.
std::string of_class(const std::string& name) {
  std::string result = "[";
  return result.append(name).append("]");
}

class Metrics {
 public:
  void add(const std::string& name, const char* unit, double value) {
    json[name] = {{"unit", unit}, {"value", value}};
  }
  Json json = Json::object();
};

void add_convergence(const Settings& settings, const Results& results, Metrics& metrics) {
  const Convergence& tests = results.convergence;
  if (settings.workload) {
    metrics.add("burst_error", "1", tests.burst_error);
    metrics.add("think_time_error", "1", tests.think_error);
    metrics.add("environment_holds", "1", tests.environment_holds);
  }
  if (settings.references == settings.users) {
    return;  // nothing was iterated
  }
  metrics.add("iteration_converged", "1", tests.converged);
  metrics.add("iteration_steps", "1", tests.steps);
  const WorstResidual worst = worst_residual(tests.last, settings);
  metrics.add("iteration_residual", "1", worst.residual);
  metrics.add("iteration_residual_allowed", "1", worst.allowed);
  metrics.add("iteration_fair", "1", tests.fair);
  metrics.add("queue_unfairness", "1", tests.queue_unfairness);
  if (settings.workload) {
    metrics.add("on_time_unfairness", "1", tests.on_time_unfairness);
  }
  const double bits = 8.0 * settings.packet_bytes;
  const auto add_iterate = [&](const std::string& which, const Iterate& iterate) {
    const std::string of = of_class(which);
    metrics.add("iterate_send_rate" + of, "bit/s", bits * iterate.send_rate_packets_per_s);
    metrics.add("iterate_queue" + of, "packets", iterate.queue_cross);
    metrics.add("iterate_loss_ratio" + of, "1", iterate.loss_ratio);
  };
  add_iterate("before-last", tests.before_last);
  add_iterate("last", tests.last);
}

void add_guarantees(const std::vector<double>& rates, Metrics& metrics) {
  for (const int share : {95, 90, 80, 50}) {
    const std::string of = of_class(std::to_string(share));
    metrics.add("guaranteed_goodput" + of, "bit/s", guaranteed_rate(rates, share / 100.0));
    metrics.add("guaranteed_goodput_coarse" + of, "bit/s",
                guaranteed_rate(rates, share / 100.0, kGranularity));
  }
}

void add_metrics(const Settings& settings, const Results& results, Metrics& metrics) {
  const double bits = 8.0 * settings.packet_bytes;
  if (settings.workload) {
    metrics.add("goodput_per_connection", "bit/s", results.goodput_bit_per_s);
    metrics.add("send_rate_per_connection", "bit/s", results.send_rate_bit_per_s);
    metrics.add("idle_restarts_per_packet", "1", results.idle_ratio);
  } else {
    metrics.add("goodput_per_source", "packets/s", results.goodput_bit_per_s / bits);
    metrics.add("send_rate_per_source", "packets/s", results.send_rate_bit_per_s / bits);
  }
  metrics.add("loss_ratio", "1", results.loss_ratio);
  metrics.add("timeouts_per_packet", "1", results.timeout_ratio);
  metrics.add("rtt_path_mean", "s", results.rtt_s);
  metrics.add("utilisation", "1", results.utilisation);
  metrics.add("queue_mean", "packets", results.queue_packets);
  if (!results.measured.bursts.empty()) {
    metrics.add("on_time", "s", results.on_time_s);
    add_guarantees(file_rates(results.measured.bursts, bits), metrics);
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

Json distributions_json(const Settings& settings, const Measured& measured) {
  Json json = Json::object();
  const double bits = 8.0 * settings.packet_bytes;
  const auto add = [&](const std::string& name, const std::vector<double>& sorted_rates) {
    if (!sorted_rates.empty()) {
      json[name] = distribution(sorted_rates);
    }
  };
  if (settings.workload) {
    add("goodput_by_burst", file_rates(measured.bursts, bits));
    for (std::size_t index = 0; index < settings.quality_packets.size(); ++index) {
      const std::int32_t xi = settings.quality_packets[index];
      const std::string of = of_class(std::to_string(xi));
      add("goodput_by_packets" + of, block_rates(measured, index, bits));
      add("goodput_by_long_burst" + of, file_rates(measured.bursts, bits, xi));
    }
  }
  return json;
}

}  // namespace

Json run_json(const Point& point, std::uint64_t seed, const Results& results, const kit::Engine& engine) {
  const Totals& totals = results.totals;
  Metrics metrics;
  add_convergence(point.settings, results, metrics);
  Json distributions = Json::object();
  if (results.convergence.converged) {
    add_metrics(point.settings, results, metrics);
    distributions = distributions_json(point.settings, results.measured);
  }
  Json run = kit::run_head(point, seed, totals.end, engine);
  run["counters"] = {{"connections_completed", totals.bursts},
                     {"packets_sent", totals.packets.sent},
                     {"packets_delivered", totals.packets.delivered},
                     {"packets_dropped", totals.packets.lost},
                     {"packets_lost", 0},
                     {"packets_in_flight", totals.in_flight},
                     {"events", totals.events}};
  run["metrics"] = metrics.json;
  run["distributions"] = distributions;
  if (results.convergence.converged && !results.sent_s.empty()) {
    run["traces"]["packet_sent"] = {
        {"unit", "packets"}, {"time_s", results.sent_s}, {"value", results.sent_number}};
  }
  return run;
}

}  // namespace fixed_point
