// A packet that is sent when acknowledgements stay away, so that they tell of losses at the end of what was
// sent (TLP, RFC 8985, section 7).
#pragma once

#include <algorithm>
#include <cstdint>

#include "kit.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

class TailLossProbe {
 public:
  TailLossProbe() = default;
  // What PTO has above two round trips.
  struct Margins {
    Picoseconds lone =
        0;  // for a lone packet, whose acknowledgement the receiver may delay (TLP.max_ack_delay)
    Picoseconds others = 0;  // of RFC 8985: none
    bool linux_timers = false;
  };
  // tcp_schedule_loss_probe: TCP_RTO_MIN and TCP_TIMEOUT_MIN_US.
  static constexpr Margins kLinux = {.lone = 200'000'000'000, .others = kLinuxMargin, .linux_timers = true};

  explicit TailLossProbe(Margins margins) : margins_(margins) {}

  // A new connection.
  void start() {
    begin_recovery();
    measured_ = false;
  }

  // Section 7.1, and no probe from here on.
  void begin_recovery() {
    end_ = 0;
    retransmits_ = false;
    deadline_ = kNever;
  }

  // The round-trip time has been measured.
  void measured() { measured_ = true; }

  // Section 7.2. `flight`: packets outstanding. Before the first estimate there is no probe: PTO would be
  // RTO, and section 7.3 put the timeout off without one, since this connection begins without a handshake to
  // be measured.
  void schedule(Picoseconds now, Picoseconds srtt, std::int32_t flight, Picoseconds rto_deadline) {
    set_at_ = now;
    deadline_ =
        srtt == 0 ? kNever
                  : std::min(now + 2 * srtt + (flight == 1 ? margins_.lone : margins_.others), rto_deadline);
  }
  // It is time for a probe. Returns whether it is not by Linux's clock, and waits for the next tick: only who
  // waits to the end has to divide.
  bool waits_for_tick(Picoseconds now, Picoseconds rto_deadline) {
    if (!margins_.linux_timers || set_at_ == kNever) {
      return false;
    }
    deadline_ = std::min(linux_timer(set_at_, now - set_at_), rto_deadline);
    set_at_ = kNever;
    return deadline_ > now;
  }
  void cancel() { deadline_ = kNever; }
  Picoseconds deadline() const { return deadline_; }

  // Section 7.3; Linux sends another one without a measurement between them (tcp_send_loss_probe). `next` is
  // SND.NXT, after the probe.
  bool may_be_sent() const { return end_ == 0 && (measured_ || margins_.linux_timers); }
  void sent(std::int32_t next, bool retransmits) {
    end_ = next;
    retransmits_ = retransmits;
    measured_ = false;
  }

  // Section 7.4.2. `una` is SND.UNA, `twice` a packet that has arrived again (DSACK), or 0. Returns whether a
  // loss that the probe has repaired asks for the reaction to one.
  bool on_ack(std::int32_t una, std::int32_t twice) {
    if (end_ == 0 || una < end_) {
      return false;
    }
    const bool over = !retransmits_ || twice + 1 == end_;
    const bool repaired = !over && una > end_;
    end_ = over || repaired ? 0 : end_;
    return repaired;
  }

 private:
  Margins margins_;
  Picoseconds deadline_ = kNever;  // of PTO
  Picoseconds set_at_ = kNever;    // when it was set, until it waits for a tick
  std::int32_t end_ = 0;           // TLP.end_seq; 0: none
  bool retransmits_ = false;       // TLP.is_retrans
  bool measured_ = false;          // the round-trip time, since the last probe or the connection's start
};

}  // namespace packetsim
