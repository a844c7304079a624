// The observer interface: the events of a simulation that probes can react to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kit/main/units.hpp"

namespace kit {

// A sender's congestion window and slow start threshold, in packets.
struct WindowView {
  std::int32_t cwnd;
  std::int32_t ssthresh;
  std::int32_t deflated;  // cwnd without what duplicate acknowledgements add to it in a fast recovery
};

// A sender's state when its retransmission timer expires, before it reacts.
struct TimeoutState {
  std::int32_t packet;  // the first unacknowledged
  std::int32_t cwnd;    // packets
  bool slow_start;      // cwnd <= ssthresh
  bool in_recovery;     // during a fast recovery
};

// Ignores every event. An observer is a class with these members; as a template parameter of the simulation
// it costs nothing where it is absent. Packets and acknowledgements of earlier transfers are not reported.
// Whatever an event makes a sender do is reported before the event itself, but for `acknowledgement`.
struct NoObserver {
  // Everything before belongs to the warm-up.
  void warm_up_ended(Picoseconds /*now*/) {}
  void transfer_started(std::int32_t /*flow*/, std::int32_t /*file_packets*/) {}
  // `active`: connections that are ON at the bottleneck, this one included.
  void transfer_seen_at_bottleneck(std::int32_t /*flow*/, std::size_t /*active*/) {}
  void packet_sent(std::int32_t /*flow*/, std::int32_t /*packet*/, Picoseconds /*now*/) {}
  // `queue`: packets that it finds at the bottleneck.
  void packet_arrived(std::int32_t /*flow*/, std::int32_t /*packet*/, std::size_t /*queue*/,
                      Picoseconds /*now*/) {}
  // At the full buffer: the packet that has just arrived, or one that had been waiting.
  void packet_dropped(std::int32_t /*flow*/, std::int32_t /*packet*/) {}
  // Before anything it makes the sender do; `missing` is the first packet that the receiver lacks.
  void acknowledgement(std::int32_t /*flow*/, std::int32_t /*missing*/, Picoseconds /*now*/) {}
  // `was`, `is`: in fast recovery before and after.
  void acknowledged(std::int32_t /*flow*/, bool /*was*/, bool /*is*/, Picoseconds /*now*/) {}
  // As a transfer begins.
  void window_started(std::int32_t /*flow*/, const WindowView& /*window*/, Picoseconds /*now*/) {}
  // After an acknowledgement or a timeout, whether it moved or not.
  void window_moved(std::int32_t /*flow*/, const WindowView& /*window*/, Picoseconds /*now*/) {}
  void timed_out(std::int32_t /*flow*/, const TimeoutState& /*state*/, Picoseconds /*now*/) {}
  void transfer_completed(std::int32_t /*flow*/, bool /*in_recovery*/, Picoseconds /*duration*/,
                          Picoseconds /*now*/) {}
  // Of the connections of a page the one that ends last, with the time since it began to arrive.
  void page_completed(std::int32_t /*flow*/, Picoseconds /*duration*/) {}
  // Results are about to be asked for; nothing else has happened until now.
  void measured_until(Picoseconds /*now*/) {}
};

}  // namespace kit
