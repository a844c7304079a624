// NewReno as Zaragoza 2014 defines it in section 3.1: RFC 5681 and RFC 6582 with windows in whole packets,
// cwnd never above the receiver's window, slow start while cwnd <= ssthresh, and the retransmission timer
// restarted by every retransmission of a fast recovery. That is what RFC 6582, section 4, calls
// Slow-but-Steady; the thesis calls it impatient. The RFC's own Impatient is beside it.
//
// A congestion control is a class with these members, made anew for every transfer. A new one is a file like
// this and an entry in variants.hpp (docs/adding-a-tcp-variant.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "kit/point/point.hpp"
#include "tcp/tcp_state.hpp"
#include "tcp/window_growth.hpp"

namespace packetsim {

class NewReno {
 public:
  static constexpr std::string_view kName = "newreno";

  // New round-trip samples must not be taken in recovery.
  bool in_recovery() const { return in_recovery_; }

  // `tcp.una` has already moved up by `acked` packets.
  Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t acked) {
    if (!in_recovery_) {
      grow(tcp, limits);
      return {.send_new = true};
    }
    if (tcp.una > recover_) {  // full acknowledgement: recovery has succeeded
      in_recovery_ = false;
      tcp.cwnd = tcp.ssthresh;
      growth_.restart();
      grow(tcp, limits);  // cwnd = ssthresh still counts as slow start, so this gives ssthresh + 1
      return {.send_new = true};
    }
    // Partial acknowledgement: the next hole is lost too. The window deflates by what left the network, and
    // by one packet less for the retransmission.
    tcp.cwnd = std::max(tcp.cwnd - acked + 1, 1);
    return {.retransmit_first = true, .send_new = true};
  }

  Decision on_duplicate_ack(TcpState& tcp, const TcpLimits& limits) {
    if (in_recovery_) {
      tcp.cwnd = std::min(tcp.cwnd + 1, limits.rwnd);
      return {.send_new = true};
    }
    if (!tcp.loss_found(recover_)) {
      return {};
    }
    in_recovery_ = true;
    recover_ = tcp.highest_sent;
    tcp.ssthresh = halved_flight(tcp);
    tcp.next = tcp.highest_sent + 1;  // an earlier timeout may have taken it back
    tcp.cwnd = std::min(tcp.ssthresh + kDuplicateThreshold, limits.rwnd);
    return {.retransmit_first = true};
  }

  // Called before `tcp.next` falls back to `tcp.una`.
  void on_timeout(TcpState& tcp) {
    if (tcp.una != last_timed_out_) {
      last_timed_out_ = tcp.una;
      tcp.ssthresh = halved_flight(tcp);
      recover_ = tcp.highest_sent;
    } else {
      recover_ = TcpState::kNothing;  // the same packet again: from now on every triple duplicate counts
    }
    in_recovery_ = false;
    growth_.restart();
    tcp.cwnd = 1;
  }

 private:
  static std::int32_t halved_flight(const TcpState& tcp) { return std::max(tcp.outstanding() / 2, 2); }

  void grow(TcpState& tcp, const TcpLimits& limits) { growth_.grow(tcp, limits, tcp.cwnd <= tcp.ssthresh); }

  std::int32_t recover_ = TcpState::kNothing;  // highest packet sent when the last loss event began
  std::int32_t last_timed_out_ = 0;            // packet that the timer last sent again
  WindowGrowth growth_;
  bool in_recovery_ = false;
};

// RFC 6582, section 3.2, step 3, and 4, Impatient: only the first partial acknowledgement of a recovery
// restarts the timer, so that many losses in one window end in a timeout and slow start.
class ImpatientNewReno : public NewReno {
 public:
  static constexpr bool kAmongOthers = true;

  static bool is_for(const kit::Tcp& tcp) { return tcp.impatient; }

  Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t acked) {
    const bool was_recovering = in_recovery();
    Decision decision = NewReno::on_new_ack(tcp, limits, acked);
    const bool partial = was_recovering && in_recovery();
    decision.keeps_timer = partial && had_partial_;
    had_partial_ = partial;
    return decision;
  }

  void on_timeout(TcpState& tcp) {
    had_partial_ = false;
    NewReno::on_timeout(tcp);
  }

 private:
  bool had_partial_ = false;  // in this recovery
};

}  // namespace packetsim
