#include "write_run.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "kit/local_loop/write_run.hpp"

namespace fixed_point {
namespace {

using kit::Json;
using kit::local_loop::add_metric;

void add_convergence(Json& metrics, const Settings& settings, const Results& results) {
  const Convergence& tests = results.convergence;
  if (settings.workload) {
    add_drawn_error(metrics, tests.drawn, settings.iteration.environment);
  }
  if (settings.references == settings.users) {
    return;  // nothing was iterated
  }
  add_metric(metrics, "iteration_converged", "1", tests.converged);
  add_metric(metrics, "iteration_steps", "1", tests.steps);
  const WorstResidual worst = worst_residual(tests.last, settings);
  add_metric(metrics, "iteration_residual", "1", worst.residual);
  add_metric(metrics, "iteration_residual_allowed", "1", worst.allowed);
  add_metric(metrics, "iteration_fair", "1", tests.fair);
  add_metric(metrics, "queue_unfairness", "1", tests.queue_unfairness);
  if (settings.workload) {
    add_metric(metrics, "on_time_unfairness", "1", tests.on_time_unfairness);
  }
  const double bits = 8.0 * settings.packet_bytes;
  const auto add_iterate = [&](const std::string& which, const Iterate& iterate) {
    const std::string of = kit::local_loop::of_class(which);
    add_metric(metrics, "iterate_send_rate" + of, "bit/s", bits * iterate.send_rate_packets_per_s);
    add_metric(metrics, "iterate_queue" + of, "packets", iterate.queue_cross);
    add_metric(metrics, "iterate_loss_ratio" + of, "1", iterate.loss_ratio);
  };
  add_iterate("before-last", tests.before_last);
  add_iterate("last", tests.last);
}

}  // namespace

Json run_json(const Point& point, std::uint64_t seed, const Results& results, const kit::Engine& engine) {
  const Totals& totals = results.totals;
  const Measured& measured = results.measured;
  Json metrics = Json::object();
  add_convergence(metrics, point.settings, results);
  Json distributions = Json::object();
  if (results.convergence.converged) {
    add_metrics(metrics, point.settings, results, measured.bursts);
    distributions =
        kit::local_loop::distributions(point.settings, measured.bursts, measured.block_packets_per_s);
  }
  Json run = kit::run_head(point, seed, totals.end, engine);
  run["counters"] = {{"connections_completed", totals.bursts},
                     {"packets_sent", totals.packets.sent},
                     {"packets_delivered", totals.packets.delivered},
                     {"packets_dropped", totals.packets.lost},
                     {"packets_lost", 0},
                     {"packets_in_flight", totals.in_flight},
                     {"events", totals.events}};
  run["metrics"] = metrics;
  run["distributions"] = distributions;
  if (results.convergence.converged) {
    add_trace(run, results.sent);
  }
  return run;
}

}  // namespace fixed_point
