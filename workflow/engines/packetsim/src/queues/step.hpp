// A queue that marks every packet that waits for longer than a threshold (Alizadeh et al. 2010, section 3.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "queues/managed_queue.hpp"

namespace packetsim {

// In a FIFO a packet's wait is known when it arrives, at the link's present rate: more than K packets are
// before it. Linux marks what has waited for longer when its transmission starts (include/net/codel_impl.h,
// ce_threshold). Packets that cannot be marked are let in, and dropped by the full buffer only.
class StepManager {
 public:
  // `threshold`: K services.
  StepManager(Picoseconds threshold, bool as_linux) : threshold_(threshold), as_linux_(as_linux) {}

  static void observe(std::size_t /*present*/, const Link& /*link*/, Picoseconds /*now*/) {}

  bool admit(ManagedPacket& packet, std::size_t present, const Link& link, Picoseconds now) const {
    if (!as_linux_ && static_cast<Picoseconds>(present) > threshold_ / link.service_time(now)) {
      mark(packet);
    }
    return true;
  }

  template <class Pop, class AtMostOneLeft, class Drop>
  std::optional<ManagedPacket> dequeue(Picoseconds now, Pop pop, AtMostOneLeft /*at_most_one_left*/,
                                       Drop /*drop*/) const {
    std::optional<ManagedPacket> packet = pop();
    if (as_linux_ && packet && now - packet->arrived > threshold_) {
      mark(*packet);
    }
    return packet;
  }

 private:
  Picoseconds threshold_;
  bool as_linux_;
};

using StepQueue = ManagedQueue<StepManager>;

}  // namespace packetsim
