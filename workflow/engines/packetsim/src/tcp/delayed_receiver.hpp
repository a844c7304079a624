// A receiver that delays acknowledgements (RFC 1122, 4.2.3.2; RFC 5681, 4.2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "tcp/linux_acks.hpp"
#include "tcp/receiver.hpp"

namespace packetsim {

// Every second packet that comes in order is acknowledged, or a single one after the receiver's delay;
// whatever comes out of order, or fills a gap, is acknowledged at once. So do the first packets of a
// connection, of which `quick_acks` counts down. Linux's receivers have rules of their own (linux_acks.hpp).
class DelayedReceiver {
 public:
  struct Ack {
    Picoseconds cause = 0;
    std::uint64_t payload = 0;
  };

  struct Rules {
    Picoseconds delay;
    std::int32_t quick_acks;
    std::optional<LinuxAcks::Rules> as_linux = {};
  };
  // `round_trip`: without queues, as the handshake's segments see it.
  static std::optional<Rules> rules(const kit::Tcp& tcp, Picoseconds round_trip) {
    if (!tcp.delayed_ack) {
      return std::nullopt;
    }
    Rules rules{picoseconds(tcp.delayed_ack->timeout_s), tcp.delayed_ack->quick_acks};
    if (tcp.linux_timers) {
      // Reno without SACK has receivers of its time, with a constant window.
      const bool tunes = tcp.variant != "newreno";
      rules.as_linux = LinuxAcks::rules(
          rules.delay, rules.quick_acks, round_trip, SocketWrites::rules(tcp.packet_bytes, tcp.rwnd_packets),
          ReceiveBuffer::rules(tcp.packet_bytes, tcp.rwnd_packets, tunes, round_trip));
    }
    return rules;
  }

  // A packet of a connection comes; if it is of another one than the last packet, its first packets are
  // acknowledged at once.
  void see_connection(std::uint32_t connection, const Rules& rules) {
    if (connection != connection_) {
      connection_ = connection;
      quick_acks_ = rules.quick_acks;
      if (rules.as_linux) {
        quick_acks_ = rules.as_linux->quick_acks;
        linux_acks_.start(*rules.as_linux);
      }
    }
  }

  // A packet comes, of which `ack` is the acknowledgement. Calls send(time, ack) for each acknowledgement
  // sent by then, and covers(time, ack) before that for each one that has waited and goes with it.
  template <class Send, class Covers>
  void receive(const Arrival& packet, const Ack& ack, const Rules& rules, Send send, Covers covers) {
    if (held_ && (deadline_ < packet.received || (packet.mark_changes && !compresses_))) {
      if (deadline_ < packet.received) {
        ran_out(rules);
      }
      send_held(std::min(deadline_, packet.received - 1), send, covers);
    }
    const Picoseconds until =
        rules.as_linux ? waits_by_linux(packet, *rules.as_linux, send, covers) : waits(packet, rules.delay);
    if (held_) {
      earlier_.push_back(ack_);
    }
    ack_ = ack;
    if (until > packet.received) {
      deadline_ = held_ ? deadline_ : until;
      held_ = true;
      return;
    }
    if (quick_acks_ > 0 && --quick_acks_ == 0 && rules.as_linux) {
      linux_acks_.shorten_wait(*rules.as_linux);
    }
    send_held(packet.received, send, covers);
  }

  // Packets whose acknowledgement waits: calls visit(ack, deadline) for each.
  template <class Visit>
  void for_each_held(Visit visit) const {
    if (held_) {
      std::ranges::for_each(earlier_, [&](const Ack& ack) { visit(ack, deadline_); });
      visit(ack_, deadline_);
    }
  }
  const Ack& held() const { return ack_; }

  // When an event has to come for what waits, which the sender hears of `way_back` after it is sent; kNever
  // if nothing waits or one comes in time.
  Picoseconds watch(Picoseconds way_back) {
    if (!held_ || timer_event_ <= deadline_ + way_back) {
      return kNever;
    }
    timer_event_ = deadline_ + way_back;
    return timer_event_;
  }

  // That event comes: what waits is acknowledged, unless the next packet has come before. Calls send and
  // covers as receive() does, with the time at which the acknowledgement was sent.
  template <class Send, class Covers>
  void on_timer(Picoseconds now, Picoseconds way_back, const Rules& rules, Send send, Covers covers) {
    if (timer_event_ != now) {
      return;  // overtaken by an earlier deadline
    }
    timer_event_ = kNever;
    if (held_ && deadline_ + way_back <= now) {
      ran_out(rules);
      send_held(deadline_, send, covers);
    }
  }

 private:
  // Returns until when the acknowledgement waits; 0: it is sent at once.
  Picoseconds waits(const Arrival& packet, Picoseconds delay) const {
    const bool waits = packet.order == Order::kNext && !packet.mark_changes && !held_ && quick_acks_ == 0;
    return waits ? packet.received + delay : 0;
  }

  template <class Send, class Covers>
  Picoseconds waits_by_linux(const Arrival& packet, const LinuxAcks::Rules& rules, Send send, Covers covers) {
    quick_acks_ = std::max(quick_acks_, linux_acks_.quick_acks_for(packet, rules));
    quick_acks_ |= linux_acks_.grows(packet, rules) ? 1 : 0;
    const bool ends_write = linux_acks_.ends_write(packet, rules);
    const bool at_once = quick_acks_ > 0 || packet.mark_changes || packet.tells_of_cut;
    if (packet.order == Order::kNext) {
      compresses_ = false;
      return at_once || ends_write || held_ ? 0 : linux_acks_.delay_until(packet.received, rules);
    }
    if (packet.order != Order::kBeyond || !packet.selective) {
      return 0;
    }
    if (linux_acks_.begins_third_block(packet) && held_ && compresses_) {
      send_held(packet.received, send, covers);
    }
    if (at_once || linux_acks_.duplicate_goes_at_once(packet, held_ ? earlier_.size() + 1 : 0)) {
      return 0;
    }
    compresses_ = true;
    return packet.received + rules.compression;
  }

  // The deadline has passed. Linux then waits longer for the next packet.
  void ran_out(const Rules& rules) {
    if (rules.as_linux && !compresses_) {
      linux_acks_.ran_out(*rules.as_linux);
    }
  }

  template <class Send, class Covers>
  void send_held(Picoseconds time, Send send, Covers covers) {
    for (const Ack& ack : earlier_) {
      covers(time, ack);
    }
    earlier_.clear();
    held_ = false;
    send(time, ack_);
  }

  Picoseconds timer_event_ = kNever;  // when the next event of the receiver's timer comes
  Picoseconds deadline_ = 0;
  Ack ack_;                   // the last one that waits
  std::vector<Ack> earlier_;  // and those before it, which it covers
  LinuxAcks linux_acks_;
  std::uint32_t connection_ = 0;
  std::int32_t quick_acks_ = 0;  // still to be sent at once
  bool held_ = false;
  bool compresses_ = false;  // what waits came beyond a hole
};

}  // namespace packetsim
