// What a simulation of a local loop measures.
#pragma once

#include <cstdint>
#include <vector>

#include "kit/local_loop/quality.hpp"
#include "kit/local_loop/write_run.hpp"
#include "kit/main/units.hpp"

namespace kit {

// From the beginning of the run: sent = delivered + dropped + in flight, the latter counted at the end.
struct LoopCounters {
  std::int64_t bursts = 0;  // downloaded
  std::int64_t sent = 0;
  std::int64_t delivered = 0;
  std::int64_t dropped = 0;
  std::int64_t in_flight = 0;
  std::int64_t events = 0;
};

// Since the warm-up.
struct LoopSums {
  std::int64_t sent = 0;
  std::int64_t dropped = 0;
  std::int64_t useful = 0;  // carried to the destination for the first time
  std::int64_t timeouts = 0;
  std::int64_t idle_restarts = 0;
  std::int64_t carried = 0;
  double round_trip_s = 0;       // summed over these, from the source's transmission
  std::int64_t rtt_samples = 0;  // of the senders
  double rtt_samples_s = 0;      // summed
  double user_on_s = 0;          // time that users were on, summed over them
  double on_time_s = 0;          // sum over the bursts downloaded
  double burst_packets = 0;
  std::int64_t bursts_begun = 0;
  double think_time_s = 0;
  std::int64_t think_times_begun = 0;
  PicosecondSum sojourn = 0;  // at the shared router, of the packets that left it or were dropped there
};

struct LoopMeasurements {
  Picoseconds end = 0;
  Picoseconds measured = 0;
  LoopCounters counters;
  LoopSums sums;
  std::vector<Picoseconds> queue_time_at;  // at the shared router
  std::vector<local_loop::Burst> bursts;
  std::vector<std::vector<float>> blocks_per_s;  // for each xi of section 8
  local_loop::SendTrace sent;
};

}  // namespace kit
