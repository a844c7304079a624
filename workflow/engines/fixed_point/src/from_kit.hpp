// What this engine takes from the kit, under its own names.
#pragma once

#include <cstdint>

#include "kit/events/event_bins.hpp"
#include "kit/events/linked_fifos.hpp"
#include "kit/events/ring_queue.hpp"
#include "kit/main/units.hpp"
#include "kit/random/portable_math.hpp"
#include "kit/random/random.hpp"

namespace fixed_point {

using kit::Event;
using kit::EventBins;
using kit::kNever;
using kit::LinkedFifos;
using kit::Picoseconds;
using kit::picoseconds;
using kit::portable_exp;
using kit::portable_log;
using kit::Random;
using kit::RingQueue;
using kit::seconds;
using kit::transmission_time;

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
