// A place to watch a simulation from.
#pragma once

#include <cstdint>

#include "units.hpp"

namespace packetsim {

// Watches nothing. An observer is a class with these members; as it is a template parameter of the dumbbell,
// a run without one pays nothing for it.
struct NoObserver {
  // The retransmission timer of `flow` ran out with `packet` the first unacknowledged.
  void timed_out(std::int32_t /*flow*/, std::int32_t /*packet*/, Picoseconds /*now*/) {}
};

}  // namespace packetsim
