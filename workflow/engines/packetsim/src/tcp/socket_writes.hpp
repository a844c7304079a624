// Which packets end a write of the sender's application: Linux sets PSH on them, and its receivers
// acknowledge them at once (net/ipv4/tcp.c, tcp_push and tcp_cleanup_rbuf; tcp_input.c, tcp_measure_rcv_mss),
// written anew.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit/events/ring_queue.hpp"

namespace packetsim {

// The application writes 64 kB at a time, or what the socket's buffer takes, as soon as a third of that is
// free (sk_stream_is_writeable). The buffer is sized for twice a window, and for a larger one when all that
// was written is under way (tcp_sndbuf_expand).
class SocketWrites {
 public:
  // What the sender is about.
  struct Sight {
    std::uint64_t connection = 0;
    std::int32_t una = 1;
    std::int32_t sent = 0;  // the highest packet
    std::int32_t file_packets = 0;
    std::int32_t cwnd = 0;
  };

  // The sender has begun, heard of an acknowledgement, or got more to send.
  void follow(const Sight& sender) {
    if (sender.connection != connection_) {
      connection_ = sender.connection;
      written_ = 0;
      window_ = kLeastWindow;
      ends_.clear();
    }
    const std::int64_t acknowledged = sender.una - 1;
    if (written_ >= sender.file_packets) {
      return;
    }
    if (written_ - acknowledged < sender.cwnd) {
      window_ = std::max<std::int64_t>(window_, sender.cwnd);
    }
    const std::int64_t buffer = 2 * kBytesMeant * window_;
    // What has been sent was written, even where the buffer had no room for it beside packets that wait for
    // one before them.
    if (sender.sent > written_ || 3 * kBytesTaken * (written_ - acknowledged) <= 2 * buffer) {
      const std::int64_t room = (buffer + kBytesTaken - 1) / kBytesTaken;
      const std::int64_t end = std::max<std::int64_t>(acknowledged + room, sender.sent);
      write(std::min<std::int64_t>(sender.file_packets, end));
    }
  }

  // Whether a packet ends a write. Packets are asked for in order.
  bool ended_by(std::int32_t packet) {
    while (!ends_.empty() && ends_.front() < packet) {
      ends_.pop();
    }
    return !ends_.empty() && ends_.front() == packet;
  }

 private:
  static constexpr std::int64_t kLeastWindow = 10;  // TCP_INIT_CWND
  // Of a segment of 1,448 bytes: what the buffer is sized by, and what it takes up.
  static constexpr std::int64_t kBytesMeant = 2304, kBytesTaken = 2088;
  static constexpr std::int64_t kAtOnce = 65536 / 1448;

  void write(std::int64_t end) {
    while (written_ < end) {
      written_ = std::min(written_ + kAtOnce, end);
      ends_.push(static_cast<std::int32_t>(written_));
    }
  }

  std::uint64_t connection_ = UINT64_MAX;
  std::int64_t written_ = 0;            // packets
  std::int64_t window_ = kLeastWindow;  // that the buffer is sized for
  kit::RingQueue<std::int32_t> ends_;   // of writes, not yet asked for
};

}  // namespace packetsim
