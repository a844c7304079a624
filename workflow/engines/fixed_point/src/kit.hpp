// What this engine takes from the kit, under names of its own: the one file to change when the kit moves.
#pragma once

#include <cstdint>

#include "event_queue.hpp"
#include "linked_fifos.hpp"
#include "portable_math.hpp"
#include "random.hpp"
#include "ring_queue.hpp"
#include "units.hpp"

namespace fixed_point {

using packetsim::Event;
using packetsim::EventQueue;
using packetsim::kNever;
using packetsim::LinkedFifos;
using packetsim::Picoseconds;
using packetsim::picoseconds;
using packetsim::portable_exp;
using packetsim::portable_log;
using packetsim::Random;
using packetsim::RingQueue;
using packetsim::seconds;
using packetsim::transmission_time;

// One stream of random numbers per use; the kit's own come before these.
enum class Use : std::uint64_t { kBursts = 64, kThinkTimes, kCrossFlows, kBackbone, kBackboneLosses, kStarts };

inline Random random_for(std::uint64_t seed, Use use) {
  return {seed, static_cast<packetsim::Stream>(static_cast<std::uint64_t>(use))};
}

}  // namespace fixed_point
