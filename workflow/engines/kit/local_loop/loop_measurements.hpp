// Measurements of the users of a local loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit/local_loop/quality.hpp"
#include "kit/main/units.hpp"

namespace kit {
namespace local_loop {

// When one user sends his packets, since measurements began, and their numbers (figure 7).
struct SendTrace {
  static constexpr std::size_t kMost = 1000;
  std::vector<double> time_s;
  std::vector<double> number;
};

}  // namespace local_loop

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
  LoopSums sums = {};
  std::vector<local_loop::Burst> bursts = {};
  std::vector<std::vector<float>> blocks_per_s = {};  // for each xi of section 8
  local_loop::SendTrace sent = {};
};

}  // namespace kit
