// The state that all TCP senders share: sequence numbers, window, threshold and retransmission timeout.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

// Limits that hold for all connections of a run.
struct TcpLimits {
  std::int32_t rwnd = 0;              // packets
  std::int32_t initial_window = 0;    // packets
  std::int32_t ssthresh = INT32_MAX;  // at the beginning, packets
  Picoseconds min_rto = 0;
  Picoseconds max_rto = 0;
  Picoseconds clock_tick = 0;                   // of the retransmission timer; 0: it runs continuously
  Picoseconds initial_rto = 1'000'000'000'000;  // before the first sample (RFC 6298, 2.1)
  bool min_rto_above_srtt = false;              // the least timeout is so far above SRTT, as Linux has it
  bool marks_reduce_gradually = false;          // as losses do, by PRR: Linux's tcp_enter_cwr
};

inline TcpLimits limits_of(const Tcp& tcp) {
  return {.rwnd = tcp.rwnd_packets,
          .initial_window = tcp.initial_window_packets,
          .ssthresh = tcp.rwnd_packets,
          .min_rto = picoseconds(tcp.min_rto_s),
          .max_rto = picoseconds(tcp.max_rto_s),
          .clock_tick = picoseconds(tcp.clock_tick_s),
          .min_rto_above_srtt = tcp.linux_timers,
          .marks_reduce_gradually = tcp.linux_rules};
}

// Linux's clock ticks 250 times a second, as Debian and Ubuntu have it.
inline constexpr Picoseconds kLinuxJiffy = 4'000'000'000;

// TCP_TIMEOUT_MIN_US, by which it waits longer for packets that may still come.
inline constexpr Picoseconds kLinuxMargin = 2'000'000'000;

// When a timer runs out that Linux sets `wait` ahead (kernel/time/timer.c, calc_wheel_index): at a tick of
// its wheel, and never early. From 63 jiffies on, 252 ms, the wheel's ticks are of 8, from 504 on of 64 and
// so on.
constexpr Picoseconds linux_timer(Picoseconds now, Picoseconds wait) {
  const Picoseconds jiffies = (wait + kLinuxJiffy - 1) / kLinuxJiffy;
  int level = 0;
  for (Picoseconds longest = 63; jiffies >= longest; longest <<= 3) {
    level += 3;
  }
  return (((now / kLinuxJiffy + jiffies) >> level) + 1) * (kLinuxJiffy << level);
}

// Duplicate acknowledgements, or packets that overtook one, that mean a loss (RFC 5681, 3.2; DupThresh of RFC
// 6675).
inline constexpr std::int32_t kDuplicateThreshold = 3;

// Packets are numbered from 1. `una` is the first that is not acknowledged, `next` the one to send next, so
// that next - una are outstanding. After a timeout `next` falls back to `una` and what was sent before is
// sent again.
struct TcpState {
  static constexpr std::int32_t kNothing = -1;  // below every packet

  std::int32_t una = 1;
  std::int32_t next = 1;
  std::int32_t highest_sent = 0;
  std::int32_t file_packets = 0;
  std::int32_t cwnd = 0;
  std::int32_t ssthresh = 0;
  std::int32_t duplicate_acks = 0;

  std::int32_t outstanding() const { return next - una; }

  // Whether the latest acknowledgement, a duplicate, means a loss. While packets up to `recover` are sent
  // again, duplicates come from those that had arrived, and mean none (Floyd 1994; RFC 6582, 3.2 step 2).
  bool loss_found(std::int32_t recover) const {
    return duplicate_acks == kDuplicateThreshold && una - 1 > recover;
  }
};

// The packets that a congestion control wants sent after an event.
struct Decision {
  bool retransmit_first = false;  // send packet `una` again, now
  bool send_new = false;          // send what the window allows
  bool keeps_timer = false;       // a retransmission does not restart it
};

// Retransmission timeout from round-trip samples (RFC 6298; Zaragoza 2014, section 3.1). One packet is timed
// at a time, never one that was sent twice. With a clock that ticks, as BSD's every 500 ms, samples count the
// ticks that fell into them and one more, and the timer runs out on a tick.
class RtoEstimator {
 public:
  void start(const TcpLimits& limits) {
    rto_ = std::max(limits.initial_rto, limits.min_rto);
    linux_ = stale_ = limits.min_rto_above_srtt;
    srtt_ = 0;
    timed_packet_ = kNone;
  }

  Picoseconds rto() const { return rto_; }
  // Smoothed round-trip time; 0 before the first sample.
  Picoseconds srtt() const { return srtt_; }

  // When a timer that is started now runs out.
  Picoseconds deadline(Picoseconds now, const TcpLimits& limits) const {
    return limits.clock_tick == 0 ? now + rto_ : deadline_on_tick(now, limits.clock_tick);
  }

  // A packet was sent for the first time, outside recovery.
  void sent_new(std::int32_t packet, Picoseconds now) {
    if (timed_packet_ == kNone) {
      timed_packet_ = packet;
      timed_at_ = now;
    }
  }

  void stop_timing() { timed_packet_ = kNone; }
  // The packet is sent again, and may be timed no more (Karn).
  void sent_again(std::int32_t packet) { timed_packet_ = timed_packet_ == packet ? kNone : timed_packet_; }

  // The timer has run out. Returns whether by Linux's clock it has not, and `deadline` is then when it does:
  // only who waits to the end has to divide.
  bool waits_for_tick(Picoseconds now, Picoseconds& deadline) {
    if (!linux_ || deadline == tick_) {
      return false;
    }
    deadline = tick_ = linux_timer(now - rto_, rto_);
    return deadline > now;
  }

  // Everything below `ack` has arrived. Returns the round-trip sample, or 0 if this acknowledgement gives
  // none.
  Picoseconds acknowledged(std::int32_t ack, Picoseconds now, const TcpLimits& limits) {
    return ack <= timed_packet_ ? 0 : sample(now, limits);
  }

  // A timeout doubles the time to the next; only a new sample takes that back (Karn).
  void back_off(const TcpLimits& limits) {
    rto_ = std::min(2 * rto_, limits.max_rto);
    stale_ = linux_;
  }
  // Each acknowledgement has a time stamp, and is a sample.
  void forget_back_off(const TcpLimits& limits) {
    if (srtt_ > 0) {
      set(limits);
    }
  }
  // Linux's segments have time stamps, and there was no sample since the start or the last timeout.
  bool stale() const { return stale_; }
  // When the packet was sent that is sent again with a timeout.
  void timed_out(Picoseconds now) { timed_out_at_ = now; }
  Picoseconds timed_out_at() const { return timed_out_at_; }
  // A measurement: of a timed packet, or by a time stamp, which tells retransmissions apart (RFC 7323, 4).
  void take(Picoseconds seen, const TcpLimits& limits) {
    if (srtt_ > 0) {
      rttvar_ += ((srtt_ > seen ? srtt_ - seen : seen - srtt_) - rttvar_) / 4;
      srtt_ += (seen - srtt_) / 8;
    } else {
      srtt_ = seen;
      rttvar_ = seen / 2;
    }
    set(limits);
  }

 private:
  // Once in a round trip: kept out of the way of every other acknowledgement.
  [[gnu::noinline]] Picoseconds sample(Picoseconds now, const TcpLimits& limits) {
    timed_packet_ = kNone;
    const Picoseconds seen =
        limits.clock_tick == 0 ? now - timed_at_ : ticks_since_timed(now, limits.clock_tick);
    take(seen, limits);
    return now - timed_at_;
  }

  void set(const TcpLimits& limits) {
    stale_ = false;
    // Linux has a floor under the margin, not under the timeout (__tcp_set_rto and tcp_rtt_estimator).
    rto_ = limits.min_rto_above_srtt ? std::min(srtt_ + std::max(4 * rttvar_, limits.min_rto), limits.max_rto)
                                     : std::clamp(srtt_ + 4 * rttvar_, limits.min_rto, limits.max_rto);
  }

  // Out of the way of senders whose clock does not tick.
  [[gnu::noinline]] Picoseconds deadline_on_tick(Picoseconds now, Picoseconds tick) const {
    return (now / tick + (rto_ + tick - 1) / tick) * tick;
  }
  [[gnu::noinline]] Picoseconds ticks_since_timed(Picoseconds now, Picoseconds tick) const {
    return (now / tick - timed_at_ / tick + 1) * tick;
  }

  static constexpr std::int32_t kNone = INT32_MAX;  // higher than any acknowledgement

  Picoseconds timed_at_ = 0;
  Picoseconds timed_out_at_ = 0;
  Picoseconds tick_ = 0;  // at which Linux's timer was last found to end
  Picoseconds srtt_ = 0;
  Picoseconds rttvar_ = 0;
  Picoseconds rto_ = 0;
  std::int32_t timed_packet_ = kNone;
  bool linux_ = false;
  bool stale_ = false;
};

}  // namespace packetsim
