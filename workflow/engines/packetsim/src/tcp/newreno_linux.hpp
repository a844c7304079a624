// Reno without selective acknowledgements as Linux 6.1 has it (net/ipv4/tcp_input.c, with the growth and the
// settings of 2002: the kernel bed's `newreno`), written anew from its rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "kit/point/point.hpp"
#include "tcp/prr.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// Each duplicate acknowledgement counts as a packet that has left the network, so that the first two send new
// ones (RFC 3042). A recovery shrinks by PRR, which may let the retransmission for a partial acknowledgement
// wait, and is over when something sent after its loss has arrived. After a timeout no recovery begins until
// then. `tcp.cwnd` is the window and what has left.
class NewRenoLinux {
 public:
  static constexpr std::string_view kName = "newreno";
  static constexpr bool kAmongOthers = true;
  // The timer runs from the last new acknowledgement, which takes back its doubling, as each has a time
  // stamp.
  static constexpr bool kTimedByAcks = true;

  static bool is_for(const kit::Tcp& tcp) { return tcp.linux_rules; }

  bool in_recovery() const { return state_ != State::kOpen; }
  // The window itself, once an acknowledgement has come.
  std::int32_t window(const TcpState& tcp) const { return window_ > 0 ? window_ : tcp.cwnd; }

  Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t acked) {
    begin(tcp);
    before_ = in_flight(tcp) + acked;
    const std::int32_t delivered = std::max(acked - left_, 1);
    left_ = std::max(left_ - std::max(acked - 1, 0), 0);
    is_head_lost_ = is_head_sent_ = false;
    bound_left(tcp, acked);
    return step(tcp, limits, delivered, acked > 0);
  }

  Decision on_duplicate_ack(TcpState& tcp, const TcpLimits& limits) {
    begin(tcp);
    return step(tcp, limits, 0, false);
  }

  // Called before `tcp.next` falls back to `tcp.una`.
  void on_timeout(TcpState& tcp) {
    begin(tcp);
    if (state_ == State::kOpen || tcp.una > high_ || (state_ == State::kTimedOut && tcp.una > timed_out_)) {
      tcp.ssthresh = std::max(window_ / 2, 2);
    }
    if (state_ == State::kOpen && left_ >= kDuplicateThreshold) {
      threshold_ = std::min(threshold_, kDuplicateThreshold);
    }
    state_ = State::kTimedOut;
    high_ = tcp.highest_sent;
    timed_out_ = tcp.una;
    window_ = tcp.cwnd = 1;
    left_ = acks_ = 0;
    is_head_lost_ = is_head_sent_ = false;
  }

 private:
  enum class State : std::uint8_t { kOpen, kRecovery, kTimedOut };
  static constexpr std::int32_t kMostThreshold = 300;  // net.ipv4.tcp_max_reordering
  static constexpr std::int32_t kLeftAtEnd = 2;  // of 2002: more than what is in flight, after a recovery

  void begin(const TcpState& tcp) {
    window_ = window(tcp);
    for (; state_ == State::kRecovery && seen_next_ < tcp.next; ++seen_next_) {
      prr_.sent();
    }
    seen_next_ = tcp.next;
  }

  std::int32_t in_flight(const TcpState& tcp) const {
    return tcp.outstanding() - left_ - (is_head_lost_ && !is_head_sent_ ? 1 : 0);
  }

  // More duplicates than packets that could have caused them tell of packets out of order.
  void bound_left(const TcpState& tcp, std::int32_t acked) {
    const std::int32_t packets = std::max(tcp.highest_sent, tcp.next - 1) + 1 - tcp.una;
    const std::int32_t lost = state_ == State::kTimedOut ? high_ + 1 - tcp.una : 0;
    const std::int32_t most = packets - std::min(std::max(lost, 1), packets);
    if (left_ > most) {
      left_ = most;
      threshold_ = std::min(packets + acked, kMostThreshold);
    }
  }

  std::int32_t count_duplicate(const TcpState& tcp) {
    const std::int32_t before = left_++;
    bound_left(tcp, 0);
    return std::max(left_ - before, 0);
  }

  // tcp_fastretrans_alert, tcp_cong_control and what may then be sent.
  Decision step(TcpState& tcp, const TcpLimits& limits, std::int32_t delivered, bool is_new) {
    bool finds_loss = false;
    const bool is_over = state_ != State::kOpen && tcp.una > high_;
    // Held until something beyond is acknowledged, so that old duplicates begin nothing (RFC 6582, 4.1).
    const bool is_held = is_over && tcp.una == high_ + 1;
    if (is_over && state_ == State::kRecovery) {
      left_ = 0;
    }
    if (is_over && !is_held) {
      if (state_ == State::kRecovery) {
        window_ = std::min(tcp.ssthresh, in_flight(tcp) + kLeftAtEnd);
      }
      state_ = State::kOpen;
    }
    if (state_ == State::kOpen) {
      left_ = is_new ? 0 : left_;
      delivered += is_new ? 0 : count_duplicate(tcp);
      if (left_ >= threshold_) {
        finds_loss = is_head_lost_ = true;
        begin_recovery(tcp);
      }
    } else if (!is_held && state_ == State::kRecovery) {
      delivered += is_new ? 0 : count_duplicate(tcp);
      finds_loss = is_new;
      is_head_lost_ = is_head_lost_ || is_new;
    } else if (!is_held) {
      if (is_new) {
        left_ = 0;
      } else if (tcp.next - 1 > high_) {
        delivered += count_duplicate(tcp);
      }
    }
    if (state_ != State::kRecovery) {
      grow(tcp, is_new);
    } else if (delivered > 0) {
      window_ = prr_.on_ack(delivered, in_flight(tcp), is_new && !finds_loss);
    }
    const bool repairs = is_head_lost_ && !is_head_sent_ && in_flight(tcp) < window_;
    if (repairs) {
      is_head_sent_ = true;
      prr_.sent();
    }
    tcp.cwnd = std::min(window_ + tcp.outstanding() - in_flight(tcp), limits.rwnd);
    return {.retransmit_first = repairs, .send_new = true};
  }

  void begin_recovery(TcpState& tcp) {
    state_ = State::kRecovery;
    high_ = tcp.next - 1;
    tcp.ssthresh = std::max(window_ / 2, 2);
    prr_.begin(tcp.ssthresh, window_);
    acks_ = 0;
  }

  // By acknowledgements, where the window limits what is sent.
  void grow(const TcpState& tcp, bool is_new) {
    const bool starts = window_ < tcp.ssthresh;
    if (!is_new || before_ < (starts ? window_ / 2 + 1 : window_) || (!starts && ++acks_ < window_)) {
      return;
    }
    acks_ = 0;
    ++window_;
  }

  State state_ = State::kOpen;
  bool is_head_lost_ = false;
  bool is_head_sent_ = false;  // again
  std::int32_t window_ = 0;
  std::int32_t left_ = 0;  // packets that duplicates tell of
  std::int32_t threshold_ = kDuplicateThreshold;
  std::int32_t before_ = 0;     // in flight before the acknowledgement
  std::int32_t high_ = 0;       // the highest sent when a recovery or a timeout began
  std::int32_t timed_out_ = 0;  // the packet of the last timeout
  std::int32_t seen_next_ = 1;
  std::int32_t acks_ = 0;
  ProportionalRateReduction prr_;
};

}  // namespace packetsim
