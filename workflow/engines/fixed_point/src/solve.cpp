#include <algorithm>
#include <cmath>
#include <utility>

#include "results.hpp"
#include "simulation.hpp"

namespace fixed_point {
namespace {

constexpr int kBatches = 10;
constexpr double Residual::*kParts[] = {&Residual::send_rate, &Residual::service, &Residual::queue};

double ratio(double numerator, double denominator) { return denominator == 0 ? 0 : numerator / denominator; }

double ratio(std::int64_t numerator, std::int64_t denominator) {
  return ratio(static_cast<double>(numerator), static_cast<double>(denominator));
}

double queue_of_user(const Population& population, double time_s) {
  return ratio(population.queue_packet_s, time_s * population.users);
}

double mean_on_time(const Population& population) {
  return ratio(population.on_s, static_cast<double>(population.bursts));
}

bool settled(const std::vector<Iterate>& iterates, const Settings& settings) {
  // The first law is no iterate yet.
  if (iterates.size() < std::max<std::size_t>(static_cast<std::size_t>(settings.iteration.min_steps), 3)) {
    return false;
  }
  // Twice in a row, so that a chance meeting is none.
  return std::all_of(iterates.end() - 2, iterates.end(), [&](const Iterate& iterate) {
    const WorstResidual worst = worst_residual(iterate, settings);
    return std::fabs(worst.residual) <= worst.allowed;
  });
}

void judge(Convergence& convergence, const Measured& measured, const Settings& settings) {
  const Iteration& rules = settings.iteration;
  if (settings.workload) {
    convergence.drawn.burst = ratio(measured.burst_packets, static_cast<double>(measured.bursts_begun)) /
                                  settings.workload->burst_mean -
                              1;
    convergence.drawn.think_time = ratio(measured.think_s, static_cast<double>(measured.thinks_begun)) /
                                       settings.workload->think_mean_s -
                                   1;
  }
  if (measured.cross.users > 0) {
    const double time_s = seconds(measured.time);
    if (settings.workload) {
      convergence.on_time_unfairness =
          ratio(mean_on_time(measured.references), mean_on_time(measured.cross)) - 1;
    }
    convergence.queue_unfairness =
        ratio(queue_of_user(measured.references, time_s), queue_of_user(measured.cross, time_s)) - 1;
  }
  convergence.fair = std::fabs(convergence.on_time_unfairness) <= rules.fairness &&
                     std::fabs(convergence.queue_unfairness) <= rules.fairness;
}

void add(Totals& totals, const Measured& measured) {
  totals.packets.sent += measured.packets.sent;
  totals.packets.delivered += measured.packets.delivered;
  totals.packets.lost += measured.packets.lost;
  totals.bursts += measured.references.bursts;
}

// A step, in batches whose scatter tells the sampling error: they are of the same law, and as far apart as
// the references' packets are many.
Iterate take_step(Simulation& simulation, const Settings& settings) {
  simulation.restart_measurements();
  Residual sum;
  Residual squares;
  for (int batch = 1; batch <= kBatches; ++batch) {
    simulation.run_packets(settings.iteration.step_packets * batch / kBatches);
    const Residual one = simulation.close_batch();
    for (const auto part : kParts) {
      sum.*part += one.*part;
      squares.*part += one.*part * one.*part;
    }
  }
  Iterate result = iterate_of(simulation.measured());
  result.residual = simulation.residual();
  for (const auto part : kParts) {
    const double scatter = squares.*part - sum.*part * sum.*part / kBatches;
    result.residual_error.*part = std::sqrt(std::fmax(scatter, 0) / (kBatches - 1) / kBatches);
  }
  return result;
}

Convergence iterate(Simulation& simulation, const Settings& settings, Totals& totals) {
  const Iteration& rules = settings.iteration;
  const bool exact = settings.references == settings.users;
  Convergence convergence;
  std::vector<Iterate> iterates;
  while (iterates.size() < static_cast<std::size_t>(exact ? rules.min_steps : rules.max_steps)) {
    iterates.push_back(take_step(simulation, settings));
    add(totals, simulation.measured());
    if (!exact && settled(iterates, settings)) {
      convergence.converged = true;
      break;
    }
    // The k-th step weighs k times as much as the first.
    const double weight = rules.averaging ? 2 / (static_cast<double>(iterates.size()) + 1) : 1;
    Environment next = simulation.environment();
    next.learn(simulation.observed(), weight);
    simulation.set_environment(next);
  }
  convergence.steps = static_cast<std::int32_t>(iterates.size());
  convergence.before_last = iterates[iterates.size() - 2];
  convergence.last = iterates.back();
  convergence.converged |= exact;
  return convergence;
}

}  // namespace

WorstResidual worst_residual(const Iterate& iterate, const Settings& settings) {
  WorstResidual worst{.residual = 0, .allowed = settings.iteration.change};
  const auto look_at = [&](double Residual::*part) {
    const double residual = iterate.residual.*part;
    const double allowed = std::fmax(settings.iteration.change, 2 * iterate.residual_error.*part);
    if (std::fabs(residual) * worst.allowed > std::fabs(worst.residual) * allowed) {
      worst = {.residual = residual, .allowed = allowed};
    }
  };
  if (settings.scheme == Scheme::kWindows) {
    look_at(&Residual::service);
  } else {
    look_at(&Residual::send_rate);
  }
  if (settings.scheme == Scheme::kRatesAndQueues) {
    look_at(&Residual::queue);
  }
  return worst;
}

Iterate iterate_of(const Measured& measured) {
  const double time_s = seconds(measured.time);
  const PacketCounts& packets = measured.packets;
  return {.send_rate_packets_per_s = ratio(static_cast<double>(packets.sent), measured.references.user_on_s),
          .goodput_packets_per_s = ratio(static_cast<double>(packets.useful), measured.references.user_on_s),
          .loss_ratio = ratio(packets.lost, packets.sent),
          .timeout_ratio = ratio(packets.timeouts, packets.sent),
          .rtt_s = ratio(packets.round_trip_s, static_cast<double>(packets.round_trips)),
          .service_s = ratio(measured.service_s, static_cast<double>(measured.services)),
          .queue_references = queue_of_user(measured.references, time_s),
          .queue_cross = queue_of_user(measured.cross, time_s),
          .on_time_references_s = mean_on_time(measured.references),
          .on_time_cross_s = mean_on_time(measured.cross),
          .residual = {},
          .residual_error = {}};
}

Results solve(const Settings& settings, std::uint64_t seed) {
  check(settings);
  Results results;
  Picoseconds measured_since = kNever;
  Observer observer;
  observer.sent = [&](std::size_t user, std::int64_t number, Picoseconds time) {
    if (user == 0 && time >= measured_since &&
        results.sent.time_s.size() < kit::local_loop::SendTrace::kMost) {
      results.sent.time_s.push_back(seconds(time - measured_since));
      results.sent.number.push_back(static_cast<double>(number));
    }
  };
  Simulation simulation(settings, seed, std::move(observer));
  results.convergence = iterate(simulation, settings, results.totals);
  simulation.restart_measurements();
  measured_since = simulation.now();
  simulation.run_packets(settings.iteration.packets);
  results.measured = simulation.measured();
  add(results.totals, results.measured);
  results.totals.end = simulation.now();
  results.totals.in_flight = simulation.in_flight();
  results.totals.events = simulation.events();
  const Measured& measured = results.measured;
  judge(results.convergence, measured, settings);

  const Iterate mean = iterate_of(measured);
  const double packet_bits = 8.0 * settings.packet_bytes;
  const PacketCounts& packets = measured.packets;
  results.goodput_bit_per_s = packet_bits * mean.goodput_packets_per_s;
  results.send_rate_bit_per_s = packet_bits * mean.send_rate_packets_per_s;
  results.loss_ratio = mean.loss_ratio;
  results.timeout_ratio = mean.timeout_ratio;
  results.idle_ratio = ratio(packets.idle_restarts, packets.sent);
  results.rtt_s = mean.rtt_s;
  results.on_time_s = mean.on_time_references_s;
  const double time_s = seconds(measured.time);
  results.utilisation = ratio(measured.busy_s, time_s);
  results.queue_packets = ratio(measured.references.queue_packet_s + measured.cross.queue_packet_s, time_s);
  return results;
}

}  // namespace fixed_point
