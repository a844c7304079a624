// A TCP sender that hears of every packet that arrives (selective acknowledgements) and recovers many losses
// in a round trip (RFC 6675).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kit.hpp"
#include "tcp/ecn.hpp"
#include "tcp/prr.hpp"
#include "tcp/recovery.hpp"
#include "tcp/sack_scoreboard.hpp"
#include "tcp/tcp_state.hpp"
#include "tcp/window.hpp"

namespace packetsim {

// `Window` is the congestion window (see window.hpp). `send` is any callable that takes the number of a
// packet and of its transmission, counted from 0. Packets and acknowledgements carry the transmission's
// number: the sender knows which packet it was.
//
// Packets are sent as long as fewer are in flight than the window has room for; lost ones first. What the
// receiver is known to hold is not in flight, so each of the first arrivals after a lost packet sends a new
// one: limited transmit (RFC 3042; RFC 6675, section 5, step 3).
//
// The window grows only where it limits what is sent, as the Linux kernel has it (tcp_is_cwnd_limited): with
// acknowledgements of packets that filled it, and in slow start up to twice what was outstanding. Who waits
// for a paced packet's time, or for the receiver's window, which the congestion window never exceeds, is not
// limited by what there is to send.
//
// A paced sender lets time pass between two packets: what the window says (`pacing_gap`), or else what the
// Linux kernel documents. Its timer is that of the next packet, too.
template <CongestionWindow Window>
class SackSender : public ScoreboardOf<Window> {
  using Scoreboard = ScoreboardOf<Window>;

 public:
  SackSender() = default;
  // With `ecn` packets may be marked.
  SackSender(Window window, const TcpLimits& limits, Recovery recovery, bool ecn = false, bool paced = false)
      : Scoreboard(limits.rwnd),
        window_(std::move(window)),
        limits_(limits),
        recovery_(recovery),
        ecn_(ecn),
        is_paced_(paced) {}

  // A connection that carries a file; what is still on its way is of the last one, which nobody hears of any
  // more.
  template <class Send>
  void start(std::int32_t file_packets, std::int32_t ssthresh, Picoseconds now, Send send) {
    file_packets_ = file_packets;
    Scoreboard::clear();
    recover_ = cut_until_ = allowed_ = 0;
    filled_until_ = counted_until_ = most_out_ = 0;
    phase_ = Phase::kOpen;
    tells_of_cut_ = false;
    waits_ = false;
    next_release_ = 0;
    window_.start(std::min(limits_.initial_window, limits_.rwnd), ssthresh);
    rto_.start(limits_);
    deadline_ = rto_.deadline(now, limits_);
    send_window(now, send);
  }

  // The file is `packets` longer. A recovery that the last one's end has left open is over.
  template <class Send>
  void resume(std::int32_t packets, Picoseconds now, Send send) {
    const bool was_done = done();
    if constexpr (Window::kHearsPauses) {
      if (next_ > file_packets_) {
        window_.on_pause(last_sent_, now);
      }
    }
    file_packets_ += packets;
    if (waits_) {
      deadline_ = rto_deadline_;
    }
    if (in_recovery() && una_ > recover_) {
      phase_ = Phase::kOpen;
      window_.on_recovered(una_, next_);
    }
    if (was_done) {
      deadline_ = rto_.deadline(now, limits_);
      window_.on_idle_restart(now);
    }
    send_window(now, send);
  }

  // The file ends with what has been sent. Returns whether all of that has been acknowledged.
  bool end_file() {
    file_packets_ = std::min(file_packets_, next_ - 1);
    if (done()) {
      waits_ = false;
      deadline_ = kNever;
    }
    return done();
  }

  // A packet has arrived that waits for its acknowledgement: the next one is for both.
  void on_delayed_ack(std::int64_t transmission) { take_arrival(transmission); }

  // A packet has arrived that later ones have overtaken.
  void take_late(std::int32_t packet) { Scoreboard::take_late(packet); }

  // The packet sent as the `transmission`-th has arrived at the receiver. `marked`: the receiver tells of a
  // mark (ECE). Returns the round-trip sample of the retransmission timer, or 0 if there is none.
  template <class Send>
  [[gnu::always_inline]] Picoseconds on_ack(std::int64_t transmission, Picoseconds now, Send send,
                                            bool marked = false) {
    return on_ack_inlined<false>(transmission, now, send, marked);
  }

  // The same, and all that it sends, as a part of the caller: where one sender is all there is, this saves a
  // fifth of the instructions.
  template <bool inlined = true, class Send>
  [[gnu::always_inline]] Picoseconds on_ack_inlined(std::int64_t transmission, Picoseconds now, Send send,
                                                    bool marked = false) {
    take_arrival(transmission);
    return react<inlined>(find_losses(), now, send, marked);
  }

  // The timer has run out: sends the packet that has waited for this moment. Returns whether one has.
  template <class Send>
  bool release(Picoseconds now, Send send) {
    if (!waits_) {
      return rto_.waits_for_tick(now, deadline_);
    }
    if (now >= rto_deadline_) {
      if (!rto_.waits_for_tick(now, rto_deadline_)) {
        return false;
      }
      deadline_ = std::min(rto_deadline_, next_release_);
      return true;
    }
    // The retransmission timer was off if nothing was outstanding (RFC 6298, section 5, rules 1 and 2).
    deadline_ = rto_deadline_ == kNever ? rto_.deadline(now, limits_) : rto_deadline_;
    send_window(now, send);
    return true;
  }

  // The retransmission timer has run out: all that has not arrived counts as lost.
  template <class Send>
  void on_timeout(Picoseconds now, Send send) {
    rto_.back_off(limits_);
    rto_.stop_timing();
    rto_.timed_out(now);
    window_.on_timeout(state(now));
    give_up();
    begin_timeout_recovery(now);
    send_window(now, send);
  }

  const Window& window() const { return window_; }
  Window& window() { return window_; }
  bool in_recovery() const { return phase_ == Phase::kRecovery; }
  Picoseconds deadline() const { return deadline_; }
  std::int32_t file_packets() const { return file_packets_; }
  bool done() const { return una_ > file_packets_; }

  // Of the packet that `send` is called for: see EcnBits.
  std::uint32_t ecn_bits() const { return ecn_bits_; }

 protected:  // for rack_sender.hpp, which finds losses otherwise
  using Scoreboard::kNone, Scoreboard::kSamplesRate, Scoreboard::acked_, Scoreboard::beyond_,
      Scoreboard::delivered_, Scoreboard::in_flight_, Scoreboard::lost_, Scoreboard::next_,
      Scoreboard::on_path_, Scoreboard::rate_, Scoreboard::sample_from_, Scoreboard::transmissions_,
      Scoreboard::una_, Scoreboard::find_losses, Scoreboard::give_up, Scoreboard::take_arrival,
      Scoreboard::undelivered;

  // Of the window: it shrinks after a mark by PRR, or after a loss.
  enum class Phase : std::uint8_t { kOpen, kMarked, kRecovery };

  static constexpr std::int32_t kBurst = 3;  // packets that may be sent at once on recovery

  // After an acknowledgement's packets have been counted. `found_lost`: packets have been found to be.
  template <bool inlined, class Send>
  [[gnu::always_inline]] Picoseconds react(std::int32_t found_lost, Picoseconds now, Send send, bool marked) {
    const std::int32_t acked = std::exchange(acked_, 0);
    const std::int32_t delivered = std::exchange(delivered_, 0);
    const RateSample rate = rate_.on_ack(now);
    if (done()) {
      deadline_ = kNever;
      return measured(now);
    }
    const std::int32_t counted = window_.counts_deliveries() ? delivered : acked;
    window_.count(counted, marked, una_, next_);
    Picoseconds sample = 0;
    if (acked > 0) {
      sample = measured(now);
      if constexpr (!Window::kFindsLossesByTime) {
        if (rto_.stale()) [[unlikely]] {
          rto_.take(now - rto_.timed_out_at(), limits_);
        }
      }
      bool grows = phase_ == Phase::kOpen;
      if (!grows && una_ > shrinks_until_) [[unlikely]] {
        grows = end_reduction();
      }
      if (grows && window_.counts_deliveries() && finds_new_loss()) [[unlikely]] {
        grows = false;  // what begins a recovery does not
      }
      if (grows && !marked && may_grow()) {
        window_.on_ack({.now = now,
                        .round_trip = sample_from_ == kNone ? 0 : now - sample_from_,
                        .acked = counted,
                        .una = una_,
                        .next = next_});
      }
    }
    if (!in_recovery() && finds_new_loss()) [[unlikely]] {
      begin_recovery(delivered, now, send);
    }
    // Until the packet that tells of a cut has arrived, the receiver goes on telling of marks before it.
    if (marked && phase_ == Phase::kOpen && una_ > cut_until_ + 1) [[unlikely]] {
      react_to_mark(now);
    }
    if (phase_ != Phase::kOpen && recovery_ == Recovery::kPrr && delivered > 0) [[unlikely]] {
      allowed_ = prr_.on_ack(delivered, in_flight_, acked > 0 && found_lost == 0);
    }
    if constexpr (kSamplesRate) {
      tell_delivery(delivered, found_lost, rate, now);
    }
    deadline_ = rto_.deadline(now, limits_);
    if constexpr (inlined) {
      fill_window<true>(now, send);
    } else {
      send_window(now, send);
    }
    return sample;
  }

  // The round-trip sample; who finds losses by time has measured before.
  Picoseconds measured(Picoseconds now) {
    if constexpr (Window::kFindsLossesByTime) {
      return 0;
    } else {
      return rto_.acknowledged(una_, now, limits_);
    }
  }

  // `delivered`: packets that came with the acknowledgement.
  template <class Send>
  [[gnu::noinline]] void begin_recovery(std::int32_t delivered, Picoseconds now, Send send) {
    const bool is_cut = phase_ == Phase::kMarked;  // then PRR goes on, as far as it would have
    phase_ = Phase::kRecovery;
    recover_ = shrinks_until_ = is_cut ? cut_until_ : next_ - 1;
    if (!is_cut) {
      allowed_ = window_.window();
    }
    if (una_ > cut_until_) {
      window_.on_loss(state(now));
      note_cut();
    }
    rto_.stop_timing();
    if (is_cut) {
      if constexpr (requires { window_.on_loss_in_cut(allowed_); }) {
        prr_.aim(window_.on_loss_in_cut(allowed_));
      }
      return;
    }
    if (recovery_ == Recovery::kRfc6675) {
      send_first_lost(now, send);
    } else if (recovery_ == Recovery::kPrr) {
      prr_.begin(window_.window(), undelivered() + delivered);
    }
  }

  void tell_delivery(std::int32_t delivered, std::int32_t lost, const RateSample& rate, Picoseconds now) {
    const DeliveryEvent event{.now = now,
                              .round_trip = sample_from_ == kNone ? 0 : now - sample_from_,
                              .delivered = delivered,
                              .lost = lost,
                              .prior_in_flight = in_flight_ + delivered + lost,
                              .in_flight = in_flight_,
                              .una = una_,
                              .paced_for = std::max<Picoseconds>(next_release_ - now, 0),
                              .rate = rate};
    if constexpr (Window::kHearsTransmissions) {
      window_.on_delivery(event, rate_.newest(), rate_.lost());
      rate_.lost().clear();
    } else {
      window_.on_delivery(event);
    }
    if (window_.limits_rate()) {
      rate_.limited_by_application(in_flight_);
    }
  }

  void begin_timeout_recovery(Picoseconds now) {
    allowed_ = 0;
    phase_ = recovery_ < Recovery::kRfc6675 ? Phase::kRecovery : Phase::kOpen;
    recover_ = shrinks_until_ = next_ - 1;
    note_cut();
    deadline_ = rto_.deadline(now, limits_);
  }

  [[gnu::noinline]] void react_to_mark(Picoseconds now) {
    const std::int32_t before = window_.window();
    window_.on_mark(state(now));
    note_cut();
    if (limits_.marks_reduce_gradually && recovery_ == Recovery::kPrr) {
      phase_ = Phase::kMarked;
      shrinks_until_ = cut_until_ + 1;  // and what tells the receiver of it
      allowed_ = before;
      prr_.begin(window_.window(), before);
    }
  }

  // What was under way when the window began to shrink has arrived. Returns whether this acknowledgement may
  // let it grow: by the RFCs not the one that ends a recovery.
  [[gnu::noinline]] bool end_reduction() {
    if (std::exchange(phase_, Phase::kOpen) == Phase::kMarked) {
      return true;
    }
    if (halves_rate()) {
      window_.limit(in_flight_ + kBurst);
    }
    window_.on_recovered(una_, next_);
    return window_.counts_deliveries();
  }

  // What is lost was sent after the last cut.
  bool finds_new_loss() const { return !lost_.empty() && una_ > recover_; }

  // Of the packets that are under way, no other loss or mark cuts the window; the next new packet tells the
  // receiver (RFC 3168, 6.1.2).
  void note_cut() {
    if (ecn_) {
      cut_until_ = next_ - 1;
      tells_of_cut_ = true;
    }
  }

  // A packet that is sent again tells of nothing and is not marked (RFC 3168, 6.1.5), unless its window says
  // otherwise.
  [[gnu::noinline]] void write_ecn_bits(bool is_new) {
    const bool tells = is_new && std::exchange(tells_of_cut_, false);
    const bool capable = is_new || Window::kMarksWhatIsSentAgain;
    ecn_bits_ = (capable ? EcnBits::kCapable : 0) | (tells ? EcnBits::kAnswer : 0);
  }

  bool halves_rate() const { return Window::kMayHalveRate && recovery_ == Recovery::kRateHalving; }

  // How many packets may be in flight.
  std::int32_t room() const {
    const std::int32_t window = std::min(window_.window(), limits_.rwnd);
    if (phase_ != Phase::kOpen) [[unlikely]] {
      if (recovery_ == Recovery::kPrr) {
        return allowed_;
      }
      if (halves_rate()) {
        return std::max((window + 1) / 2, allowed_);
      }
    }
    return window;
  }

  bool may_grow() const {
    return una_ <= filled_until_ ||
           (window_.window() < window_.ssthresh() && window_.window() < 2 * most_out_);
  }

  // There is nothing more to send, though the window has room: counts what is outstanding, at most since all
  // of it was last acknowledged.
  [[gnu::noinline]] void note_room() {
    rate_.limited_by_application(in_flight_);
    const std::int32_t out = next_ - una_;
    if (una_ >= filled_until_ && (una_ >= counted_until_ || out > most_out_)) {
      most_out_ = out;
      counted_until_ = next_;
    }
  }

  template <bool inlined, class Send>
  [[gnu::always_inline]] void fill_window(Picoseconds now, Send send) {
    if (halves_rate()) {
      allowed_ = std::min(allowed_, in_flight_ + 1);
    }
    if (paces(now)) [[unlikely]] {
      fill_paced(now, send);
      return;
    }
    if constexpr (Window::kPacingIsOptional) {
      waits_ = false;
    }
    if constexpr (!Window::kHearsTransmissions) {  // which may answer with another window
      if (phase_ == Phase::kOpen && lost_.empty()) [[likely]] {
        fill_with_new<inlined>(now, send);
        return;
      }
    }
    while (in_flight_ < room()) {
      if (!lost_.empty()) {
        send_first_lost(now, send);
      } else if (next_ < una_ + limits_.rwnd && next_ <= file_packets_) {
        if (!in_recovery()) {
          rto_.sent_new(next_, now);
        }
        if constexpr (inlined) {
          transmit_inlined(next_++, now, now, send);
        } else {
          transmit(next_++, now, now, send);
        }
      } else if (next_ > file_packets_) {
        note_room();
        return;
      } else {
        break;
      }
      if constexpr (Window::kPacingIsOptional) {
        next_release_ = now;
      }
    }
    filled_until_ = next_;
  }

  // The same where there is nothing to send again, and the window stays as it is meanwhile.
  template <bool inlined, class Send>
  [[gnu::always_inline]] void fill_with_new(Picoseconds now, Send send) {
    const std::int32_t in_window = std::min(window_.window(), limits_.rwnd) - in_flight_;
    const std::int32_t most = std::min(file_packets_ + 1, una_ + limits_.rwnd) - next_;
    const std::int32_t end = next_ + std::min(in_window, most);
    if (next_ < end) {
      rto_.sent_new(next_, now);
      while (next_ < end) {
        if constexpr (inlined) {
          transmit_inlined(next_++, now, now, send);
        } else {
          transmit(next_++, now, now, send);
        }
      }
      if constexpr (Window::kPacingIsOptional) {
        next_release_ = now;
      }
    }
    if (most < in_window && next_ > file_packets_) {
      note_room();
      return;
    }
    filled_until_ = next_;
  }

  // Whether a packet may have to wait for its time. BBR's always may, and asking takes 4 %.
  bool paces(Picoseconds now) const {
    if constexpr (Window::kPacingIsOptional) {
      return window_.pacing_gap() > 0 || next_release_ > now;
    } else {
      return Window::kPaces || is_paced_;
    }
  }

  // The same, but that no packet goes before its time: the first one waits for it.
  template <class Send>
  [[gnu::noinline]] void fill_paced(Picoseconds now, Send send) {
    waits_ = false;
    while (in_flight_ < room()) {
      const bool again = !lost_.empty();
      if (!again && next_ > file_packets_) {
        note_room();
        return;
      }
      if (!again && next_ >= una_ + limits_.rwnd) {
        break;
      }
      if (now < next_release_) {
        waits_ = true;
        rto_deadline_ = una_ == next_ ? kNever : deadline_;
        deadline_ = std::min(rto_deadline_, next_release_);
        break;
      }
      if (again) {
        send_first_lost(now, send);
      } else {
        if (!in_recovery()) {
          rto_.sent_new(next_, now);
        }
        transmit(next_++, now, now, send);
      }
      pace(now);
    }
    filled_until_ = next_;
  }

  // A window that paces by itself makes up for what it sends later than it might, by half a gap at most
  // (Linux, tcp_update_skb_after_send).
  void pace(Picoseconds now) {
    const Picoseconds until_next = gap();
    const Picoseconds late = Window::kPaces ? now - next_release_ : 0;
    next_release_ = now + until_next - std::min(late, until_next / 2);
  }

  template <class Send>
  void send_window(Picoseconds now, Send send) {
    fill_window<false>(now, send);
  }

  // From a packet to the next one. As the Linux kernel's tcp_pacing_ss_ratio and tcp_pacing_ca_ratio have it
  // (its documentation of ip-sysctl): in slow start 2 cwnd in a smoothed round-trip time, later 1.2; without
  // a gap before the first sample.
  Picoseconds gap() const {
    if constexpr (Window::kPaces) {
      return window_.pacing_gap();
    } else {
      const std::int32_t window = window_.window();
      const Picoseconds tenths = (window < window_.ssthresh() ? 20 : 12) * Picoseconds{window};
      return (10 * rto_.srtt() + tenths / 2) / tenths;
    }
  }

  WindowEvent state(Picoseconds now) const { return {.now = now, .una = una_, .next = next_}; }

  template <class Send>
  [[gnu::noinline]] void send_first_lost(Picoseconds now, Send send) {
    transmit(lost_.front(), kNone, now, send);
    lost_.pop();
  }

  // `sent` is now, or kNone for a retransmission.
  template <class Send>
  void transmit(std::int32_t packet, Picoseconds sent, Picoseconds now, Send send) {
    transmit_inlined(packet, sent, now, send);
  }
  template <class Send>
  [[gnu::always_inline]] void transmit_inlined(std::int32_t packet, Picoseconds sent, Picoseconds now,
                                               Send send) {
    on_path_.push({packet, sent, rate_.sent(now, sent != kNone && packet == una_)});
    ++in_flight_;
    if constexpr (Window::kHearsPauses) {
      last_sent_ = now;
    }
    if (halves_rate()) {
      allowed_ = std::min(allowed_, in_flight_ - 1);
    } else if (phase_ != Phase::kOpen) [[unlikely]] {
      prr_.sent();
    }
    if (ecn_) [[unlikely]] {
      write_ecn_bits(sent != kNone);
    }
    if constexpr (Window::kHearsTransmissions) {
      window_.on_sent({transmissions_, now});
    }
    send(packet, transmissions_++);
  }

  Window window_;
  TcpLimits limits_;
  Recovery recovery_ = Recovery::kRfc6675;
  bool ecn_ = false;
  bool is_paced_ = false;
  bool waits_ = false;         // a packet does, for next_release_
  bool tells_of_cut_ = false;  // the next new packet does
  std::uint32_t ecn_bits_ = 0;
  std::int32_t cut_until_ = 0;  // the highest sent when the window was last cut; 0 without ECN
  ProportionalRateReduction prr_;
  RtoEstimator rto_;
  Picoseconds deadline_ = kNever;
  Picoseconds rto_deadline_ = kNever;  // while a packet waits
  Picoseconds next_release_ = 0;       // no packet goes before
  std::int32_t file_packets_ = 0;
  std::int32_t recover_ = 0;  // the highest sent when the loss was found
  Phase phase_ = Phase::kOpen;
  std::int32_t shrinks_until_ = 0;  // then it ends when more has arrived
  std::int32_t allowed_ = 0;        // in flight, by PRR or while the rate is halved
  std::int32_t filled_until_ = 0;   // the next new packet when the window was last full
  std::int32_t counted_until_ = 0;  // the next new packet when most_out_ was counted
  std::int32_t most_out_ = 0;       // outstanding in a window that was not filled
  Picoseconds last_sent_ = 0;       // of a window with a clock
};

}  // namespace packetsim
