// Simulates a dumbbell with TCP variants that a program brings itself.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "network/dumbbell.hpp"
#include "queues/drop_tail_queue.hpp"
#include "run/simulate_dumbbell.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

// Throws Unsupported: no point for `simulate_with`.
inline void check_simulate_with(const Point& point) {
  const auto* dumbbell = std::get_if<kit::Dumbbell>(&point.topology);
  if (dumbbell == nullptr || dumbbell->bottleneck.queue != kit::Queue::kDropTail ||
      dumbbell->bottleneck.varies() || point.has_sizes() || point.stop.loss_events > 0 ||
      point.probes.any()) {
    throw Unsupported(
        "simulate_with: must be a dumbbell with a drop-tail queue of a fixed rate and packets of one size, "
        "without "
        "probes");
  }
}

// Simulates a dumbbell of bulk, on-off or web sources behind a drop-tail queue of a fixed rate, without
// probes. The point's groups name variants of the list by their kName, as many as it has. The same point and
// seed give the same measurements. Throws Unsupported.
template <class... Variants>
Measurements simulate_with(const Point& point, std::uint64_t seed, const Progress& progress = {}) {
  check_simulate_with(point);
  Dumbbell<typename VariantList<Variants...>::AnySender, NoObserver, DropTailQueue, ManyGroups> network(point,
                                                                                                        seed);
  return run_and_measure(network, point, progress);
}

}  // namespace packetsim
