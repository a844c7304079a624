// Runs of an engine that simulates every user of a local loop.
#pragma once

#include <cstdint>

#include "kit/local_loop/exact_point.hpp"
#include "kit/local_loop/loop_measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/main/run.hpp"
#include "kit/point/json.hpp"

namespace kit {

// Simulates the warm-up, and from there on measures until all users together have sent as many packets as
// the point says.
template <class Loop>
void run_exactly(Loop& loop, const LocalLoopPoint& point, const Progress& progress) {
  constexpr std::int64_t kProgressReports = 20;
  loop.run_until_sent(point.warmup_packets);
  loop.restart_measurements();
  for (std::int64_t report = 1; report <= kProgressReports; ++report) {
    loop.run_until_sent(report < kProgressReports ? point.stop_packets / kProgressReports * report
                                                  : point.stop_packets);
    if (progress) {
      progress(report, kProgressReports);
    }
  }
}

// The run, with the metrics that other engines of local loops write too (docs/metrics.md).
Json local_loop_run(const LocalLoopPoint& point, std::uint64_t seed, const LoopMeasurements& measurements,
                    const Engine& engine);

}  // namespace kit
