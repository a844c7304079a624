// Measurements of a simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "connection.hpp"
#include "from_kit.hpp"

namespace fixed_point {

// On times and queues, of the references or of the cross flows.
struct Population {
  std::int32_t users = 0;
  std::int64_t bursts = 0;
  double on_s = 0;            // sum of the on times of those bursts
  double user_on_s = 0;       // time that users were on, summed over them
  double queue_packet_s = 0;  // at the shared router, summed over the users
  std::int64_t arrivals = 0;  // at the shared router
  std::int64_t losses = 0;    // there
};

struct Measured {
  Picoseconds time = 0;
  PacketCounts packets;  // of the references
  Population references;
  Population cross;
  double service_s = 0;  // aggregated service times of the references, summed
  std::int64_t services = 0;
  std::int64_t departures = 0;  // from the shared router, of all users
  double sojourn_s = 0;         // that these spent there, summed
  double busy_s = 0;            // of the shared router
  double burst_packets = 0;     // of the bursts and think times begun by the references
  std::int64_t bursts_begun = 0;
  double think_s = 0;
  std::int64_t thinks_begun = 0;
  std::vector<Burst> bursts;
  std::vector<std::vector<float>> block_packets_per_s;  // for each xi: throughput of xi packets in a row
};

}  // namespace fixed_point
