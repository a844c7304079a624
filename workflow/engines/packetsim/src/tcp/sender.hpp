// A TCP sender with cumulative acknowledgements: outstanding packets, sending, and the retransmission timer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "tcp/ecn.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// A congestion control of connections that all carry one file after the other: every new acknowledgement
// restarts the timer (RFC 6298, 5.3), and the one that ends a file counts when it comes, not only if another
// file follows.
template <class Congestion>
concept Persistent = requires {
  Congestion::kPersistent;
};

// A congestion control whose timer runs from the last new acknowledgement, which takes back its doubling.
template <class Congestion>
concept TimedByAcks = requires {
  Congestion::kTimedByAcks;
};

// `Congestion` is the TCP variant (see variants.hpp); as a template parameter it costs no call. `send` is any
// callable that takes the number of a packet; packets of one burst are handed to it back to back.
template <class Congestion>
class Sender {
 public:
  Sender() = default;
  explicit Sender(const kit::Tcp& /*tcp*/) {}
  explicit Sender(Congestion congestion) : congestion_(std::move(congestion)) {}

  template <class Send>
  void start(std::int32_t file_packets, const TcpLimits& limits, Picoseconds now, Send send) {
    tcp_ = {.file_packets = file_packets,
            .cwnd = std::min(limits.initial_window, limits.rwnd),
            .ssthresh = limits.ssthresh};
    if constexpr (requires { congestion_.restart(); }) {
      congestion_.restart();  // it keeps its variant
    } else {
      congestion_ = {};
    }
    rto_.start(limits);
    deadline_ = kNever;
    send_window(limits, now, send);
  }

  // The file is `packets` longer. The acknowledgement that ended it so far counts, too: it ends a recovery.
  template <class Send>
  void resume(std::int32_t packets, const TcpLimits& limits, Picoseconds now, Send send) {
    if constexpr (!Persistent<Congestion>) {
      if (done()) {
        congestion_.on_new_ack(tcp_, limits, 0);
      }
    }
    tcp_.file_packets += packets;
    send_window(limits, now, send);
  }

  // The file ends with what has been sent. Returns whether all of that has been acknowledged.
  bool end_file() {
    tcp_.file_packets = std::min(tcp_.file_packets, tcp_.highest_sent);
    deadline_ = done() ? kNever : deadline_;
    return done();
  }

  // `ack` is the first packet that the receiver misses. Calls sampled(time) with the round-trip sample, if
  // the acknowledgement gives one. Returns whether it was the last of the file.
  template <class Send, class Sampled>
  bool on_ack(std::int32_t ack, const TcpLimits& limits, Picoseconds now, Send send, Sampled sampled) {
    if (ack > tcp_.una) [[likely]] {
      if (const Picoseconds sample = rto_.acknowledged(ack, now, limits); sample > 0) {
        sampled(sample);
      }
      const std::int32_t acked = ack - tcp_.una;
      tcp_.una = ack;
      if (tcp_.next < ack) [[unlikely]] {
        tcp_.next = ack;
      }
      tcp_.duplicate_acks = 0;
      if (done()) [[unlikely]] {
        deadline_ = kNever;
        if constexpr (Persistent<Congestion>) {
          congestion_.on_new_ack(tcp_, limits, acked);
        }
        return true;
      }
      if constexpr (TimedByAcks<Congestion>) {
        if (rto_.stale()) {
          rto_.take(now - rto_.timed_out_at(), limits);
        } else {
          rto_.forget_back_off(limits);
        }
      }
      if constexpr (Persistent<Congestion> || TimedByAcks<Congestion>) {
        deadline_ = rto_.deadline(now, limits);
      }
      carry_out(congestion_.on_new_ack(tcp_, limits, acked), limits, now, send);
    } else if (ack == tcp_.una && tcp_.outstanding() > 0) {
      ++tcp_.duplicate_acks;
      carry_out(congestion_.on_duplicate_ack(tcp_, limits), limits, now, send);
    }
    return false;
  }

  // See SackSender: nothing is paced here, nor drawn at random.
  template <class Send>
  bool release(Picoseconds now, Send /*send*/) {
    return rto_.waits_for_tick(now, deadline_);
  }
  static void seed(std::uint64_t /*seed*/, std::size_t /*flow*/) {}

  // See SelectiveSender: here numbers are those of packets.
  static constexpr bool is_selective() { return false; }
  static EcnEcho echo() { return EcnEcho::kNone; }
  static constexpr std::int32_t beyond_hole() { return 0; }
  static void on_delayed_ack(std::int32_t /*number*/) {}
  static bool take_late(std::int32_t /*packet*/) { return false; }
  static std::int32_t packet_of(std::int32_t number) { return number; }
  static std::int32_t missing_after(std::int32_t number) { return number; }

  // The retransmission timer has run out: back to the first unacknowledged packet, with a doubled timer.
  template <class Send>
  void on_timeout(const TcpLimits& limits, Picoseconds now, Send send) {
    congestion_.on_timeout(tcp_);
    rto_.back_off(limits);
    rto_.stop_timing();
    tcp_.next = tcp_.una;
    tcp_.duplicate_acks = 0;
    if constexpr (TimedByAcks<Congestion>) {
      rto_.timed_out(now);
      deadline_ = rto_.deadline(now, limits);
    }
    send_window(limits, now, send);
  }

  bool done() const { return tcp_.una > tcp_.file_packets; }
  std::int32_t una() const { return tcp_.una; }
  std::int32_t file_packets() const { return tcp_.file_packets; }
  const TcpState& tcp() const { return tcp_; }
  WindowView window_view() const {
    std::int32_t cwnd = tcp_.cwnd;
    if constexpr (requires { congestion_.window(tcp_); }) {
      cwnd = congestion_.window(tcp_);
    }
    return {.cwnd = cwnd, .ssthresh = tcp_.ssthresh, .deflated = in_recovery() ? tcp_.ssthresh : cwnd};
  }
  Picoseconds rto() const { return rto_.rto(); }
  bool in_recovery() const { return congestion_.in_recovery(); }

  TimeoutState timeout_state() const {
    return {.packet = tcp_.una,
            .cwnd = tcp_.cwnd,
            .slow_start = tcp_.cwnd <= tcp_.ssthresh,
            .in_recovery = in_recovery()};
  }

  // When the retransmission timer runs out; kNever: it does not run.
  Picoseconds deadline() const { return deadline_; }

 private:
  template <class Send>
  [[gnu::always_inline]] void carry_out(Decision decision, const TcpLimits& limits, Picoseconds now,
                                        Send send) {
    if (decision.retransmit_first) {
      rto_.stop_timing();
      send(tcp_.una);
      deadline_ = decision.keeps_timer ? deadline_ : rto_.deadline(now, limits);
    }
    if (decision.send_new) {
      send_window(limits, now, send);
    }
  }

  // Sends what the window allows. Outside recovery the timer runs from the last packets sent, not from the
  // last acknowledgement: with that, and only with that, the spurious timeouts of Zaragoza 2014, section 4.2,
  // come at the packets that it names.
  template <class Send>
  [[gnu::always_inline]] void send_window(const TcpLimits& limits, Picoseconds now, Send send) {
    const std::int32_t end = std::min(tcp_.una + tcp_.cwnd, tcp_.file_packets + 1);
    if (tcp_.next >= end) {
      return;
    }
    if (!congestion_.in_recovery()) {
      if (end - 1 > tcp_.highest_sent) {
        rto_.sent_new(std::max(tcp_.next, tcp_.highest_sent + 1), now);
      }
      if (!TimedByAcks<Congestion> || tcp_.una == tcp_.next) {
        deadline_ = rto_.deadline(now, limits);
      }
    }
    tcp_.highest_sent = std::max(tcp_.highest_sent, end - 1);
    std::int32_t packet = std::exchange(tcp_.next, end);
    do {
      send(packet);
    } while (++packet < end);
  }

  TcpState tcp_;
  Congestion congestion_;
  RtoEstimator rto_;
  Picoseconds deadline_ = kNever;
};

}  // namespace packetsim
