// The ways of a sender with selective acknowledgements through a recovery (sack_sender.hpp).
#pragma once

#include <cstdint>

namespace packetsim {

// How much is sent after a loss, until all that was outstanding has arrived.
enum class Recovery : std::uint8_t {
  // Nothing until beta w packets have left the network (Blanc, Collange and Avrachenkov 2008, section 4).
  kPause,
  // As in ns-2's Linux agent, which those authors used: a packet for every second acknowledgement, until half
  // of the reduced window is in flight (the `min_cwnd` of their Linux module). A recovery of one round trip
  // ends with the reduced window in flight, a longer one with less; the window that goes on from there is
  // what is in flight and a few packets more.
  kRateHalving,
  // The first lost packet at once (RFC 6675, section 5, step 4.3), then as kPause. After a timeout the window
  // grows from what it left, and what is lost of the packets sent before it cuts no window.
  kRfc6675,
  kPrr,       // In proportion to what arrives (see prr.hpp); after a timeout as kRfc6675.
  kOfWindow,  // As the window says at each acknowledgement (see bbr.hpp); after a timeout as kRfc6675.
};

}  // namespace packetsim
