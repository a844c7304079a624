// Results of a run.
#pragma once

#include <cstdint>

#include "environment.hpp"
#include "kit/local_loop/write_run.hpp"
#include "measured.hpp"
#include "settings.hpp"

namespace fixed_point {

// Outcome of one step of the iteration.
struct Iterate {
  double send_rate_packets_per_s = 0;  // of a reference that is on
  double goodput_packets_per_s = 0;    // the same of what is delivered for the first time
  double loss_ratio = 0;
  double timeout_ratio = 0;
  double rtt_s = 0;
  double service_s = 0;         // mean aggregated service time
  double queue_references = 0;  // packets at the shared router, of a user, averaged over time
  double queue_cross = 0;
  double on_time_references_s = 0;  // mean of the bursts that ended
  double on_time_cross_s = 0;
  Residual residual;        // of the law that cross flows acted on
  Residual residual_error;  // standard error
};

// Largest residual among the statistics that drive the scheme's cross flows, relative to what counts as zero:
// the tolerance or twice the standard error.
struct WorstResidual {
  double residual = 0;
  double allowed = 0;
};
WorstResidual worst_residual(const Iterate& iterate, const Settings& settings);

Iterate iterate_of(const Measured& measured);

// The tests of section 5.4.
struct Convergence {
  bool converged = false;  // what references show is what cross flows act on
  std::int32_t steps = 0;
  Iterate before_last;  // the last two iterates
  Iterate last;
  kit::local_loop::DrawnError drawn;  // of the references
  bool fair = false;                  // references and cross flows have the same on time and queue
  double on_time_unfairness = 0;      // references over cross flows, less 1; 0 without cross flows
  double queue_unfairness = 0;
};

// Packets of the references since the start: sent = delivered + lost + in flight.
struct Totals {
  Picoseconds end = 0;
  PacketCounts packets;
  std::int64_t bursts = 0;
  std::int64_t in_flight = 0;
  std::int64_t events = 0;
};

struct Results : kit::local_loop::Summary {
  Convergence convergence;
  Measured measured;
  kit::local_loop::SendTrace sent{};  // of the first of the references
  Totals totals;
};

// Iterates until the tests hold or the steps are used up, then measures. Without cross flows there is nothing
// to iterate: the steps are the warm-up. Throws std::invalid_argument for settings that check() refuses.
Results solve(const Settings& settings, std::uint64_t seed);

}  // namespace fixed_point
