// A receiver's buffer as Linux 6.1 tunes it (net/ipv4/tcp_input.c, tcp_rcv_space_adjust and tcp_grow_window),
// written anew.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit.hpp"
#include "tcp/receiver.hpp"

namespace packetsim {

// The buffer has room for several times what arrives in a round trip, and the window follows it by two
// packets with each one that comes. What limits senders here is the constant window of the point.
class ReceiveBuffer {
 public:
  struct Rules {
    std::int32_t first;      // packets of the window at first, and at most
    std::int32_t most;       // no more than `first`: it does not grow
    Picoseconds round_trip;  // of the empty path
  };
  static Rules rules(std::int32_t packet_bytes, std::int32_t rwnd, bool tunes, Picoseconds round_trip) {
    constexpr std::int32_t kFirstBytes = 65535, kHeaderBytes = 52;
    const std::int32_t first = kFirstBytes / std::max(packet_bytes - kHeaderBytes, 1);
    return {.first = first, .most = tunes ? rwnd : 0, .round_trip = round_trip};
  }

  void start(const Rules& rules) {
    window_ = rules.first;
    room_ = rules.first;
    read_most_ = kInitialWindow;
    measured_from_ = 1;
    measured_at_ = 0;
  }

  // A packet has come for the first time. Returns whether the window grows.
  bool take(const Arrival& packet, const Rules& rules) {
    const bool grows = window_ < room_;
    window_ = grows ? std::min(window_ + 2, room_) : window_;
    if (packet.order != Order::kBeyond && packet.received - measured_at_ >= rules.round_trip) {
      measure(packet, rules);
    }
    return grows;
  }

 private:
  static constexpr std::int32_t kInitialWindow = 10;  // TCP_INIT_CWND

  void measure(const Arrival& packet, const Rules& rules) {
    const std::int32_t next = packet.packet + 1;
    const std::int64_t read = next - measured_from_;
    if (read > read_most_) {
      std::int64_t wanted = 2 * read + 16;
      wanted += 2 * wanted * (read - read_most_) / read_most_;
      wanted += wanted / 40;  // memory comes in steps of 128 bytes a segment, and half of it is window
      room_ = static_cast<std::int32_t>(std::clamp<std::int64_t>(wanted, room_, std::max(room_, rules.most)));
      read_most_ = read;
    }
    measured_from_ = next;
    measured_at_ = packet.received;
  }

  std::int32_t window_ = 0;
  std::int32_t room_ = 0;       // that the buffer has for the window
  std::int64_t read_most_ = 0;  // packets in a round trip, since it last grew
  std::int32_t measured_from_ = 1;
  Picoseconds measured_at_ = 0;
};

}  // namespace packetsim
