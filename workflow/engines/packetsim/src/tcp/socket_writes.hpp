// Which packets end a write of the sender's application: Linux sets PSH on them, and its receivers
// acknowledge them at once (net/ipv4/tcp.c, tcp_push and tcp_cleanup_rbuf; tcp_input.c, tcp_measure_rcv_mss),
// written anew.
#pragma once

#include <algorithm>
#include <cstdint>

namespace packetsim {

// The application writes 32 kB at a time, in whole segments, and before its sender runs out of data. Half of
// the receiver's window since the last PSH has one, too (forced_push).
class SocketWrites {
 public:
  struct Rules {
    std::int32_t block;  // packets of a write
    std::int32_t push;   // packets at most without PSH
  };
  static Rules rules(std::int32_t packet_bytes, std::int32_t rwnd) {
    constexpr std::int32_t kBlockBytes = 32768, kHeaderBytes = 52;
    return {.block = std::max(kBlockBytes / std::max(packet_bytes - kHeaderBytes, 1), 1),
            .push = rwnd / 2 + 1};
  }

  void start(const Rules& rules) { begin_after(0, rules); }

  // Packets are asked for as they arrive. `ends_file`: it is the last one that the application has, which
  // begins another write with the next.
  bool ended_by(std::int32_t packet, bool ends_file, const Rules& rules) {
    if (ends_file) {
      begin_after(packet, rules);
      return true;
    }
    while (push_ < packet) {
      block_ += push_ == block_ ? rules.block : 0;
      push_ = std::min(block_, push_ + rules.push);
    }
    return push_ == packet;
  }

 private:
  void begin_after(std::int32_t packet, const Rules& rules) {
    block_ = packet + rules.block;
    push_ = std::min(block_, packet + rules.push);
  }

  std::int32_t block_ = 0;  // the last packet of a write
  std::int32_t push_ = 0;   // the next packet with PSH
};

}  // namespace packetsim
