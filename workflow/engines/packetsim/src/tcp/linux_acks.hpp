// When a receiver of Linux 6.1 acknowledges at once, and how long it waits otherwise (net/ipv4/tcp_input.c,
// tcp_output.c and tcp_timer.c), written anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kit.hpp"
#include "kit/point/ranges.hpp"
#include "tcp/receive_buffer.hpp"
#include "tcp/receiver.hpp"
#include "tcp/sack_blocks.hpp"
#include "tcp/socket_writes.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// Packets that come in order wait until a tick 40 ms later (ATO), or longer after that was too short; a pause
// that outlasts the receiver's own timeout has it acknowledge the next ones at once, as at the start. What
// comes beyond a hole is acknowledged at once three times, and then together for a twentieth of a round trip.
class LinuxAcks {
 public:
  struct Rules {
    std::int32_t quick_acks;  // at the start, and after a pause or a packet that came twice
    std::int32_t least_wait;  // TCP_ATO_MIN, ticks
    std::int32_t most_wait;   // ticks
    std::int32_t rto;         // the receiver's, ticks
    Picoseconds compression;  // of acknowledgements beyond a hole
    SocketWrites::Rules writes;
    ReceiveBuffer::Rules buffer;
  };

  static Rules rules(Picoseconds delay, std::int32_t quick_acks, Picoseconds round_trip,
                     const SocketWrites::Rules& writes, const ReceiveBuffer::Rules& buffer) {
    constexpr Picoseconds kOneMs = 1'000'000'000;
    const std::int32_t least = ticks(delay);
    return {
        .quick_acks = quick_acks < kit::kQuickAcks.high ? std::min(quick_acks, kMostQuickAcks) : quick_acks,
        .least_wait = least,
        .most_wait = std::clamp(ticks(round_trip), least, std::max(least, ticks(200 * kOneMs))),
        .rto = ticks(round_trip + std::max(200 * kOneMs, 2 * round_trip)),
        .compression = std::min(round_trip / 20, kOneMs) + kOneMs / 10,
        .writes = writes,
        .buffer = buffer};
  }

  void start(const Rules& rules) {
    wait_ = rules.least_wait;
    last_ = -1;
    missing_ = 0;
    blocks_.start();
    writes_.start(rules.writes);
    buffer_.start(rules.buffer);
  }

  // How many acknowledgements a packet has the receiver send at once, if it has not so many left
  // (tcp_event_data_recv, tcp_data_queue, tcp_ecn_check_ce).
  std::int32_t quick_acks_for(const Arrival& packet, const Rules& rules) {
    const bool again = packet.order == Order::kAgain;
    std::int32_t quick = again ? rules.quick_acks : 0;
    if (!again && packet.order != Order::kBeyond) {
      quick = note_data(packet.received / kLinuxJiffy, rules);
    }
    if (packet.urges) {
      quick = std::max(quick, std::min(rules.quick_acks, kQuickAcksOfMark));
    }
    if (again || packet.urges) {
      shorten_wait(rules);
    }
    return quick;
  }

  // Whether the packet lets the window grow, which acknowledges it at once whatever else is.
  bool grows(const Arrival& packet, const Rules& rules) {
    return packet.order != Order::kAgain && buffer_.take(packet, rules.buffer);
  }

  // Whether the packet ends a write of the sender's application.
  bool ends_write(const Arrival& packet, const Rules& rules) {
    return writes_.ended_by(packet.packet, packet.ends_file, rules.writes);
  }

  // At the end of what is acknowledged at once, too.
  void shorten_wait(const Rules& rules) { wait_ = rules.least_wait; }

  // tcp_send_delayed_ack.
  Picoseconds delay_until(Picoseconds now, const Rules& rules) const {
    return linux_timer(now, std::min(wait_, rules.most_wait) * kLinuxJiffy);
  }

  // The wait has ended without another packet (tcp_delack_timer_handler).
  void ran_out(const Rules& rules) { wait_ = std::min(2 * wait_, rules.rto); }

  // Notes where a packet beyond a hole lies. Returns whether it is in a third SACK block, or an older one:
  // compressed acknowledgements tell of two (TCP_SACK_BLOCKS_EXPECTED).
  bool begins_third_block(const Arrival& packet) {
    return blocks_.add(packet.packet, packet.missing) >= kBlocksExpected;
  }

  // Counts a packet beyond a hole, and returns whether it is acknowledged at once, while `waiting`
  // acknowledgements of others wait (__tcp_ack_snd_check).
  bool duplicate_goes_at_once(const Arrival& packet, std::size_t waiting) {
    if (waiting >= kMostCompressed) {
      return true;
    }
    if (packet.missing != missing_) {
      missing_ = packet.missing;
      duplicates_ = 0;
    }
    if (duplicates_ < kDuplicateThreshold) {
      ++duplicates_;
      return true;
    }
    return false;
  }

 private:
  static constexpr std::int32_t kMostQuickAcks = 16;  // TCP_MAX_QUICKACKS
  static constexpr std::int32_t kQuickAcksOfMark = 2;
  static constexpr std::size_t kBlocksExpected = 2;
  static constexpr std::size_t kMostCompressed = 44;  // tcp_comp_sack_nr

  static std::int32_t ticks(Picoseconds time) {
    return static_cast<std::int32_t>((time + kLinuxJiffy - 1) / kLinuxJiffy);
  }

  std::int32_t note_data(std::int64_t now, const Rules& rules) {
    const std::int64_t pause = last_ < 0 ? 0 : now - last_;
    last_ = now;
    const std::int32_t half = rules.least_wait / 2;
    if (pause <= half) {
      wait_ = wait_ / 2 + half;
    } else if (pause < wait_) {
      wait_ = std::min(wait_ / 2 + static_cast<std::int32_t>(pause), rules.rto);
    } else if (pause > rules.rto) {
      return rules.quick_acks;
    }
    return 0;
  }

  std::int64_t last_ = -1;       // tick at which data came in order; -1: none has
  std::int32_t wait_ = 0;        // ATO, ticks
  std::int32_t missing_ = 0;     // while these duplicates came
  std::int32_t duplicates_ = 0;  // acknowledged at once
  SackBlocks blocks_;
  SocketWrites writes_;
  ReceiveBuffer buffer_;
};

}  // namespace packetsim
