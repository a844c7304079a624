// A congestion window under selective acknowledgements: what it hears, and what it answers. A variant is one
// class with these members and a name (kName); sack_sender.hpp finds losses, repairs them and sends.
//
// Windows and thresholds are in packets, times in picoseconds. All is resolved at compile time: what a window
// leaves to WindowDefaults costs nothing.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "tcp/delivery_rate.hpp"
#include "tcp/recovery.hpp"

namespace packetsim {

// A new cumulative acknowledgement outside recovery, or the state at a loss, a mark or a timeout.
struct WindowEvent {
  Picoseconds now = 0;
  Picoseconds round_trip = 0;  // of the packet that caused it; 0: it was sent twice
  std::int32_t acked = 0;      // packets acknowledged for the first time (see counts_deliveries()); 0: none
  std::int32_t una = 0;        // the first packet without an acknowledgement
  std::int32_t next = 0;       // the next new one to send; una <= next
  std::int32_t in_flight = 0;  // after a timeout: sent too short ago to be lost (RFC 8985, 6.3)
};

// Any acknowledgement, in a recovery, too.
struct DeliveryEvent {
  Picoseconds now = 0;
  Picoseconds round_trip = 0;        // of the packet that caused it; 0: it was sent twice
  std::int32_t delivered = 0;        // packets that arrived for the first time
  std::int32_t lost = 0;             // packets found to be lost
  std::int32_t prior_in_flight = 0;  // before
  std::int32_t in_flight = 0;        // sent, not arrived and not known to be lost
  std::int32_t una = 0;              // the first packet without an acknowledgement
  Picoseconds paced_for = 0;         // until a packet may leave
  RateSample rate;
};

// What a window need not say. A base class of every window; a member of the same name replaces its default.
struct WindowDefaults {
  // Its sender is that of sack_sender.hpp.
  static constexpr bool kSelective = true;
  // Losses are found by RACK-TLP (rack_sender.hpp), not by three later packets.
  static constexpr bool kFindsLossesByTime = false;
  // Receivers echo each mark (RFC 8257, 3.2), and ECN is on unless the point says otherwise.
  static bool echoes_each(const kit::Tcp& /*tcp*/) { return false; }
  // With ECN a packet that is sent again may be marked, too.
  static constexpr bool kMarksWhatIsSentAgain = false;
  // It has on_delivery(event) and limits_rate().
  static constexpr bool kHearsDeliveries = false;
  // It has on_sent(packet), and on_delivery(event, newest, lost) says which packets arrived and were lost.
  static constexpr bool kHearsTransmissions = false;
  // It has on_pause(since, now): there was nothing to send.
  static constexpr bool kHearsPauses = false;
  // It has pacing_gap(), the time from a packet to the next: at least 0.
  static constexpr bool kPaces = false;
  // With a gap of 0, acknowledgements clock packets out as if it did not pace.
  static constexpr bool kPacingIsOptional = false;

  // recovery() may be kRateHalving.
  static constexpr bool kMayHalveRate = false;

  // How its sender recovers, unless the point says so.
  static constexpr Recovery recovery(const kit::Tcp& /*tcp*/) { return Recovery::kRfc6675; }

  // Of an acknowledgement's packets those count that have only now arrived, and not what had arrived beyond a
  // hole before; and one that ends a recovery lets the window grow (Linux, tcp_cong_control).
  static constexpr bool counts_deliveries() { return false; }

  // Once, before the first connection: of what it draws at random, and which flow it is, counted from 0.
  static void seed(std::uint64_t /*seed*/, std::size_t /*flow*/) {}
  // Any acknowledgement, before what it means is heard: `marked` packets have met congestion (ECN).
  static void count(std::int32_t /*acked*/, bool /*marked*/, std::int32_t /*una*/, std::int32_t /*next*/) {}
  // A packet will be sent, and nothing is in flight.
  static void on_idle_restart(Picoseconds /*now*/) {}
};

template <class W>
concept HearsDeliveries = requires(W window, const DeliveryEvent& event) {
  window.on_delivery(event);
  // Less is sent than could be: what is delivered says nothing of the path's rate.
  { window.limits_rate() } -> std::convertible_to<bool>;
};
template <class W>
concept HearsTransmissions = requires(W window, const DeliveryEvent& event, SentPacket packet,
                                      const std::vector<SentPacket>& lost) {
  window.on_sent(packet);
  window.on_delivery(event, packet, lost);
  { window.limits_rate() } -> std::convertible_to<bool>;
};
template <class W>
concept HearsPauses = requires(W window, Picoseconds time) {
  window.on_pause(time, time);
};
template <class W>
concept Paces = requires(const W window) {
  { window.pacing_gap() } -> std::convertible_to<Picoseconds>;
};

template <class W>
concept HasWhatItSays = (W::kHearsTransmissions ? HearsTransmissions<W>
                                                : (!W::kHearsDeliveries || HearsDeliveries<W>)) &&
                        (!W::kHearsPauses || HearsPauses<W>)&&(!W::kPaces || Paces<W>);

// The contract. With ECN the window is cut (on_loss, on_mark) at most once for the packets of a window.
template <class W>
concept CongestionWindow = std::derived_from<W, WindowDefaults> && HasWhatItSays<W> &&
    requires(W window, const W answers, const WindowEvent& event, std::int32_t packets) {
  window.start(packets, packets);         // a connection begins: initial window and threshold, both >= 1
  window.on_ack(event);                   // new data is acknowledged, and the window limits what is sent
  window.on_loss(event);                  // a recovery begins
  window.on_mark(event);                  // a receiver has echoed a mark
  window.on_recovered(packets, packets);  // the recovery is over: una and next
  window.on_timeout(event);               // the retransmission timer has run out
  window.limit(packets);                  // leaves a window of at most so many
  // How many packets may be in flight, as far as the receiver's window allows: at least 1.
  { answers.window() } -> std::convertible_to<std::int32_t>;
  // Slow start is below it.
  { answers.ssthresh() } -> std::convertible_to<std::int32_t>;
};

}  // namespace packetsim
