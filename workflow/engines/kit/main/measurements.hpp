// The raw measurements of a run: counters, sums and histograms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kit/local_loop/loop_measurements.hpp"
#include "kit/main/units.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Over the whole run. At every instant sent = delivered + dropped + lost + in flight.
struct Counters {
  std::int64_t connections_completed = 0;
  std::int64_t packets_sent = 0;
  std::int64_t packets_delivered = 0;
  std::int64_t packets_dropped = 0;  // by the full buffer
  std::int64_t packets_lost = 0;     // by the link's random loss
  std::int64_t packets_in_flight = 0;
  std::int64_t events = 0;
};

// Sums over completed connections since the warm-up.
struct ConnectionSums {
  std::int64_t connections = 0;
  std::int64_t packets = 0;
  PicosecondSum duration = 0;
  std::int64_t rtt_samples = 0;
  double rtt_s = 0;  // samples in seconds; a picosecond sum would overflow
};

// Sums over packets since the warm-up, whichever transfer they belong to.
struct PacketSums {
  std::int64_t carried = 0;  // by the network, of the sources, sent twice or not
  double round_trip_ps = 0;  // of these, from their transmission on the access link to their acknowledgement
  std::int64_t acknowledged = 0;  // for the first time
  std::int64_t cross_arrived = 0;
  std::int64_t cross_dropped = 0;
  std::int64_t acks = 0;  // that got to a queue on the way back, and those that were lost there
  std::int64_t acks_lost = 0;
  double ack_delay_ps = 0;  // of the others, until the link had sent them
  std::int64_t returning =
      0;  // packets of the sources that got to that queue, and those that were lost there
  std::int64_t returning_lost = 0;
  double returning_delay_ps = 0;
  double cross_delay_ps = 0;  // from their arrival until they have left, of those that were not dropped
};

// Sums over one of several groups of sources since the warm-up.
struct GroupMeasurements {
  ConnectionSums connections = {};
  PacketSums packets = {};
  // Of sources that come and go, together: from each start to the acknowledgement of the last packet.
  PicosecondSum own_time = 0;
  std::int64_t arrivals = 0;  // of files or pages by themselves, and those that found too few sources idle
  std::int64_t refused = 0;
};

// Of a hop behind the bottleneck.
struct HopMeasurements {
  std::vector<Picoseconds> queue_time_at = {};
  std::vector<std::int64_t> queue_arrivals_at = {};
  std::int64_t queue_drops = 0;
};

struct Measurements {
  Picoseconds end = 0;
  Picoseconds measured = 0;  // time since the warm-up
  Counters counters = {};
  ConnectionSums connections = {};
  PacketSums packets = {};
  std::vector<Picoseconds> queue_time_at = {};
  std::vector<std::int64_t> queue_arrivals_at = {};
  std::int64_t queue_drops = 0;
  std::int64_t random_losses = 0;
  std::optional<std::int64_t> marks = std::nullopt;  // of the queue's packets; none where nobody counts them
  std::vector<Picoseconds> active_time_at = {};
  ProbeResults probes = {};
  // If there are several groups: of each group, and the packets acknowledged for the first time of each
  // source.
  std::vector<GroupMeasurements> groups = {};
  std::vector<std::int64_t> acknowledged = {};
  std::vector<HopMeasurements> hops = {};
  std::optional<LoopMeasurements> loop = std::nullopt;  // of a local loop's users
};

}  // namespace kit
