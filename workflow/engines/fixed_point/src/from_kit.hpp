// What this engine takes from the kit and from packetsim, under its own names.
#pragma once

#include <cstdint>

#include "events/event_queue.hpp"
#include "events/linked_fifos.hpp"
#include "events/ring_queue.hpp"
#include "kit/main/units.hpp"
#include "kit/random/portable_math.hpp"
#include "kit/random/random.hpp"

namespace fixed_point {

using kit::kNever;
using kit::Picoseconds;
using kit::picoseconds;
using kit::portable_exp;
using kit::portable_log;
using kit::Random;
using kit::seconds;
using kit::transmission_time;
using packetsim::Event;
using packetsim::EventQueue;
using packetsim::LinkedFifos;
using packetsim::RingQueue;

// One stream of random numbers per use; the kit's own come before these.
enum class Use : std::uint64_t {
  kBursts = 64,
  kThinkTimes,
  kCrossFlows,
  kBackbone,
  kBackboneLosses,
  kStarts
};

inline Random random_for(std::uint64_t seed, Use use) {
  return {seed, static_cast<kit::Stream>(static_cast<std::uint64_t>(use))};
}

}  // namespace fixed_point
