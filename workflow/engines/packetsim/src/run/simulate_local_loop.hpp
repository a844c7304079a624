// Simulates a point of kind local-loop.
#pragma once

#include <cstdint>

#include "kit/main/progress.hpp"
#include "kit/point/json.hpp"
#include "network/loop_measurements.hpp"
#include "run/local_loop_point.hpp"

namespace packetsim {

// Simulates the warm-up, and from there on measures until all users together have sent as many packets as
// the point says. The same point and seed give the same measurements, bit for bit. Throws
// std::invalid_argument for a load that leaves nothing of its router, Unsupported where the clock ends.
LoopMeasurements simulate_local_loop(const LocalLoopPoint& point, std::uint64_t seed,
                                     const Progress& progress = {});

// The run, with the metrics that other engines of local loops write too (docs/metrics.md).
Json local_loop_run(const LocalLoopPoint& point, std::uint64_t seed, const LoopMeasurements& measurements);

}  // namespace packetsim
