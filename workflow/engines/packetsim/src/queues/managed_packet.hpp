// A packet in a queue that may mark packets instead of dropping them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kit.hpp"
#include "network/payload.hpp"

namespace packetsim {

// The ECN field of a packet (RFC 3168, section 5).
enum class Ecn : std::uint8_t { kNotCapable, kCapable, kMarked };

struct ManagedPacket {
  std::uint64_t payload = 0;
  Picoseconds arrived = 0;
  Picoseconds sent = 0;  // by the source, in networks that ask for it
  Ecn ecn = Ecn::kNotCapable;

  std::size_t flow() const { return Payload(payload).flow(); }
};

// Marks the packet if its transport understands marks; returns whether it did.
inline bool mark(ManagedPacket& packet) {
  if (packet.ecn == Ecn::kNotCapable) {
    return false;
  }
  packet.ecn = Ecn::kMarked;
  return true;
}

}  // namespace packetsim
