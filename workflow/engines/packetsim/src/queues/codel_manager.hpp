// CoDel on one FIFO (RFC 8289).
#pragma once

#include <cstddef>

#include "queues/codel.hpp"
#include "queues/managed_queue.hpp"

namespace packetsim {

class CodelManager {
 public:
  explicit CodelManager(const CodelLimits& limits) : limits_(limits) {}

  static void observe(std::size_t /*present*/, const Link& /*link*/, Picoseconds /*now*/) {}
  static bool admit(const ManagedPacket& /*packet*/, std::size_t /*present*/, const Link& /*link*/,
                    Picoseconds /*now*/) {
    return true;
  }

  template <class Pop, class AtMostOneLeft, class Drop>
  std::optional<ManagedPacket> dequeue(Picoseconds now, Pop pop, AtMostOneLeft at_most_one_left, Drop drop) {
    return codel_.dequeue(limits_, now, pop, at_most_one_left, drop);
  }

 private:
  CodelLimits limits_;
  Codel codel_;
};

using CodelQueue = ManagedQueue<CodelManager>;

}  // namespace packetsim
