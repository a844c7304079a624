// A receiver that delays acknowledgements (RFC 1122, 4.2.3.2; RFC 5681, 4.2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kit.hpp"

namespace packetsim {

// Every second packet that comes in order is acknowledged, or a single one after the receiver's delay;
// whatever comes out of order, or fills a gap, is acknowledged at once. So do the first packets of a
// connection, of which `quick_acks` counts down.
class DelayedReceiver {
 public:
  struct Ack {
    Picoseconds cause = 0;
    std::uint64_t payload = 0;
  };

  struct Rules {
    Picoseconds delay;
    std::int32_t quick_acks;
  };
  static std::optional<Rules> rules(const kit::Tcp& tcp) {
    if (!tcp.delayed_ack) {
      return std::nullopt;
    }
    return Rules{picoseconds(tcp.delayed_ack->timeout_s), tcp.delayed_ack->quick_acks};
  }

  // A packet of a connection comes; if it is of another one than the last packet, its first packets are
  // acknowledged at once.
  void see_connection(std::uint32_t connection, std::int32_t quick_acks) {
    if (connection != connection_) {
      connection_ = connection;
      quick_acks_ = quick_acks;
    }
  }

  // A packet comes at `received`, of which `ack` is the acknowledgement. `in_order`: it is the next one, and
  // nothing beyond it has come. `mark_changes`: it brings another mark than the last one (see ecn.hpp), so
  // that no acknowledgement is of both. Calls send(time, ack) for each acknowledgement sent by then, and
  // covers(ack) for one that has waited and goes with this packet's.
  template <class Send, class Covers>
  void receive(Picoseconds received, const Ack& ack, bool in_order, bool mark_changes, Picoseconds delay,
               Send send, Covers covers) {
    if (held_ && (deadline_ < received || mark_changes)) {
      send(std::min(deadline_, received - 1), take());
    }
    if (in_order && !mark_changes && !held_ && quick_acks_ == 0) {
      held_ = true;
      deadline_ = received + delay;
      ack_ = ack;
      return;
    }
    quick_acks_ -= quick_acks_ > 0 ? 1 : 0;
    if (held_) {
      covers(take());
    }
    send(received, ack);
  }

  // Whether an acknowledgement waits, until when, and what it is.
  bool holds() const { return held_; }
  Picoseconds deadline() const { return deadline_; }
  const Ack& held() const { return ack_; }

  // When an event has to come for what waits, which the sender hears of `way_back` after it is sent; kNever
  // if nothing waits or one comes already.
  Picoseconds watch(Picoseconds way_back) {
    if (!held_ || timer_event_ != kNever) {
      return kNever;
    }
    timer_event_ = deadline_ + way_back;
    return timer_event_;
  }

  // That event comes: what waits is acknowledged, unless the next packet has come before.
  std::optional<Ack> on_timer(Picoseconds now, Picoseconds way_back) {
    timer_event_ = kNever;
    return held_ && deadline_ + way_back <= now ? std::optional(take()) : std::nullopt;
  }

 private:
  Ack take() {
    held_ = false;
    return ack_;
  }

  Picoseconds timer_event_ = kNever;  // when the next event of the receiver's timer comes
  Picoseconds deadline_ = 0;
  Ack ack_;
  std::uint32_t connection_ = 0;
  std::int32_t quick_acks_ = 0;  // packets still to be acknowledged at once
  bool held_ = false;
};

}  // namespace packetsim
