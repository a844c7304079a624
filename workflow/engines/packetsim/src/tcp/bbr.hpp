// BBR version 1 (draft-cardwell-iccrg-bbr-congestion-control-00; Cardwell, Cheng, Gunn, Hassas Yeganeh and
// Jacobson, Communications of the ACM 60(2), 2017), under selective acknowledgements. Four rules come
// from version 02 of the draft, as Linux's version 1 has them, too: the pacing margin (section 4.6.2 there),
// two packets more in flight while probing (4.6.4.2), the allowance for aggregated acknowledgements
// (ack_aggregation.hpp), and that only a shorter round trip puts off ProbeRTT (4.3.4.4). Six are Linux's
// alone, without which its rates behind random losses and its shares beside others do not come out: a round's
// largest rate counts until ten more have begun; a recovery begins a round; one that begins with the
// acknowledgement that ends another goes on with it; windows are an even number of whole packets; what is
// in flight is compared with the product as it will be when the next aggregate leaves; and policers are
// looked for (long_term_rate.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "kit/point/point.hpp"
#include "kit/random/random.hpp"
#include "tcp/ack_aggregation.hpp"
#include "tcp/delivery_rate.hpp"
#include "tcp/long_term_rate.hpp"
#include "tcp/recovery.hpp"
#include "tcp/window.hpp"
#include "tcp/windowed_max.hpp"

namespace packetsim {

// Sections are those of version 00. Rates are in packets per picosecond.
class Bbr : public WindowDefaults {
 public:
  enum class State : std::uint8_t { kStartup, kDrain, kProbeBw, kProbeRtt };

  static constexpr std::string_view kName = "bbr";
  static constexpr bool kHearsDeliveries = true;
  static constexpr bool kPaces = true;

  static constexpr Recovery recovery(const kit::Tcp& /*tcp*/) { return Recovery::kOfWindow; }

  Bbr() = default;
  explicit Bbr(const kit::Tcp& tcp)
      : most_(tcp.rwnd_packets), packet_bits_(8.0 * tcp.packet_bytes), is_paced_(tcp.pacing.value_or(true)) {}

  // Of the random first phases: each flow has its own.
  void seed(std::uint64_t seed, std::size_t /*flow*/) { phases_ = kit::Random(seed, kit::Stream::kPhases); }

  // Sections 4.3.1 and 4.2.1: without a round-trip sample 1 ms counts as one.
  void start(std::int32_t initial_window, std::int32_t /*ssthresh*/) {
    Bbr anew;
    anew.most_ = most_;
    anew.packet_bits_ = packet_bits_;
    anew.phases_ = phases_;
    anew.is_paced_ = is_paced_;
    anew.window_ = anew.initial_ = initial_window;
    *this = anew;
    pacing_rate_ = initial_rate(kNominalRoundTrip);
  }

  std::int32_t window() const { return window_; }
  // There is none: slow start's is the receiver's window.
  std::int32_t ssthresh() const { return most_; }

  // Section 4.2.1: from a packet to the next one. Without pacing, as under Linux before 4.13 unless the queue
  // discipline fq paced, the window alone limits.
  Picoseconds pacing_gap() const { return is_paced_ ? std::llround(1 / pacing_rate_) : 0; }

  // Section 4.3.5: what is delivered now is less than could be.
  bool limits_rate() const { return state_ == State::kProbeRtt; }

  State state() const { return state_; }
  double pacing_gain() const { return pacing_gain_; }
  double bottleneck_rate() const { return bottleneck_.value(); }
  Picoseconds shortest_round_trip() const { return round_trip_; }

  // Section 3.5.2.
  void on_delivery(const DeliveryEvent& ack) {
    update_round(ack);
    lost_ += ack.lost;
    look_for_policer(ack.now, ack.lost > 0, ack.rate.app_limited);
    update_bottleneck_rate(ack.rate);
    if (filled_pipe_) {  // before, the estimate lags behind a growing rate
      aggregation_.on_ack(ack.now, ack.delivered, bottleneck_.value(), window_, rounds_);
    }
    check_cycle_phase(ack);
    check_full_pipe(ack.rate);
    check_drain(ack);
    update_round_trip(ack);
    check_probe_rtt(ack);
    set_pacing_rate(pacing_gain_);
    set_window(ack);
  }

  void on_ack(const WindowEvent& /*ack*/) {}

  // Section 4.2.3.4: the packets in flight are known when the acknowledgement's delivery is (set_window).
  void on_loss(const WindowEvent& /*state*/) {
    save_window();
    if (!std::exchange(recovered_, false)) {
      recovery_ = RecoveryPhase::kBegins;
    }
  }
  void on_mark(const WindowEvent& state) { on_loss(state); }

  // Section 4.2.3.4; unless the same acknowledgement tells of a loss.
  void on_recovered(std::int32_t /*una*/, std::int32_t /*next*/) { recovered_ = true; }

  // Section 4.2.3.4: over when all that had been sent has arrived.
  void on_timeout(const WindowEvent& state) {
    save_window();
    recovery_ = RecoveryPhase::kAfterTimeout;
    recover_ = state.next;
    window_ = state.in_flight + 1;  // tcp_enter_loss
    full_rate_ = 0;
    round_starts_ = true;
    ++lost_;
    look_for_policer(state.now, true, false);
  }

  // Section 4.3.4.4: a packet will be sent, and nothing is in flight. A ProbeRTT whose time has passed
  // meanwhile is over (version 02, section 4.3.5).
  void on_idle_restart(Picoseconds now) {
    idle_restart_ = true;
    if (state_ == State::kProbeBw) {
      set_pacing_rate(1);
    } else if (state_ == State::kProbeRtt && now > probe_ends_) {
      end_probe_rtt(now);
    }
  }

  void limit(std::int32_t packets) { window_ = std::min(window_, packets); }

 private:
  // Of a fast recovery: with its first round trip packets are conserved.
  enum class RecoveryPhase : std::uint8_t { kNone, kBegins, kConserves, kGrows, kAfterTimeout };

  static constexpr double kHighGain = 2.885390081777927;  // 2 / ln 2 (section 4.3.2.1)
  static constexpr double kProbeBwWindowGain = 2;         // section 4.3.4.1
  static constexpr std::array kGains = {1.25, 0.75, 1., 1., 1., 1., 1., 1.};
  static constexpr double kPacingFactor = 0.99;                       // 1 - BBRPacingMarginPercent / 100
  static constexpr std::size_t kBottleneckRounds = 1 + 10;            // this one and BtlBwFilterLen
  static constexpr Picoseconds kRoundTripLasts = 10'000'000'000'000;  // RTpropFilterLen, ProbeRTTInterval
  static constexpr Picoseconds kProbeRttLasts = 200'000'000'000;      // ProbeRTTDuration
  static constexpr Picoseconds kNominalRoundTrip = 1'000'000'000;
  static constexpr std::int32_t kLeastWindow = 4;  // BBRMinPipeCwnd
  static constexpr double kQuanta = 3;             // section 4.2.3.2
  static constexpr double kProbing = 2;            // version 02, section 4.6.4.2
  static constexpr double kGrowth = 1.25;          // section 4.3.2.2
  static constexpr int kRoundsWithoutGrowth = 3;

  double initial_rate(Picoseconds round_trip) const {
    return kHighGain * initial_ / static_cast<double>(round_trip);
  }

  // Section 4.2.2, in packets: the largest aggregate that is handed to the network at once. Here each packet
  // leaves by itself, but windows allow for aggregates.
  std::int32_t send_quantum() const {
    constexpr double kPicosecondsInSecond = 1e12;
    constexpr double kLow_bit_per_s = 1.2e6;
    constexpr double kLongest_s = 1. / 1024;  // Linux's millisecond
    constexpr double kMost_bits = 8 * 65536;
    const double rate_bit_per_s = pacing_rate_ * kPicosecondsInSecond * packet_bits_;
    const double packets = std::min(rate_bit_per_s * kLongest_s, kMost_bits) / packet_bits_;
    return std::max(static_cast<std::int32_t>(packets), rate_bit_per_s < kLow_bit_per_s ? 1 : 2);
  }

  // Section 4.2.3.2, BBRInflight: packets. A product is no larger for the rounding of doubles.
  double in_flight_for(double gain) const { return in_flight_for(gain, bottleneck_.value(), 0); }
  double in_flight_for(double gain, double rate, double aggregated) const {
    if (round_trip_ == kNever) {
      return initial_;
    }
    constexpr double kRounding = 1e-6;
    const double product = gain * rate * static_cast<double>(round_trip_);
    const double packets = std::ceil(product - kRounding) + std::floor(aggregated) + kQuanta * send_quantum();
    const double probing = state_ == State::kProbeBw && pacing_gain_ > 1 ? kProbing : 0;
    return 2 * std::ceil(packets / 2) + probing;
  }

  // Section 4.1.1.3.
  void update_round(const DeliveryEvent& ack) {
    delivered_ += ack.delivered;
    round_starts_ = ack.delivered > 0 && ack.rate.prior_delivered >= round_ends_;
    if (round_starts_) {
      round_ends_ = delivered_;
      ++rounds_;
    }
  }

  void look_for_policer(Picoseconds now, bool loses, bool app_limited) {
    const bool probes = state_ == State::kProbeBw;
    if (policer_.on_ack({now, delivered_, lost_}, {loses, round_starts_, app_limited, probes})) {
      enter_probe_bw(now);
    } else if (probes && policer_.rate() > 0) {
      pacing_gain_ = 1;
    }
  }
  double sending_rate() const { return policer_.rate() > 0 ? policer_.rate() : bottleneck_.value(); }

  // Section 4.1.1.5.
  void update_bottleneck_rate(const RateSample& rate) {
    if (rate.packets_per_ps > 0 && (!rate.app_limited || rate.packets_per_ps >= bottleneck_.value())) {
      bottleneck_.update(rate.packets_per_ps, rounds_);
    }
  }

  // Section 4.3.4.3.
  void check_cycle_phase(const DeliveryEvent& ack) {
    if (state_ == State::kProbeBw && is_next_phase(ack)) {
      advance_phase(ack.now);
    }
  }

  bool is_next_phase(const DeliveryEvent& ack) const {
    const bool full_length = ack.now - phase_began_ > round_trip_;
    const double in_flight = at_departure(ack.prior_in_flight, ack);
    if (pacing_gain_ > 1) {
      return full_length && (ack.lost > 0 || in_flight >= in_flight_for(pacing_gain_));
    }
    return full_length || (pacing_gain_ < 1 && in_flight <= in_flight_for(1));
  }

  // Packets in flight when the next ones may leave, and these, if the rate is probed.
  double at_departure(std::int32_t in_flight, const DeliveryEvent& ack) const {
    const double then = in_flight + (pacing_gain_ > 1 ? send_quantum() : 0);
    return std::max(0., then - std::floor(bottleneck_.value() * static_cast<double>(ack.paced_for)));
  }

  void advance_phase(Picoseconds now) {
    phase_began_ = now;
    phase_ = (phase_ + 1) % kGains.size();
    pacing_gain_ = policer_.rate() > 0 ? 1 : kGains[phase_];
  }

  void enter_probe_bw(Picoseconds now) {
    state_ = State::kProbeBw;
    window_gain_ = kProbeBwWindowGain;
    phase_ = kGains.size() - 1 - phases_.bits() % (kGains.size() - 1);
    advance_phase(now);
  }

  // Section 4.3.2.2.
  void check_full_pipe(const RateSample& rate) {
    if (filled_pipe_ || !round_starts_ || rate.app_limited) {
      return;
    }
    if (bottleneck_.value() >= full_rate_ * kGrowth) {
      full_rate_ = bottleneck_.value();
      full_rounds_ = 0;
    } else {
      filled_pipe_ = ++full_rounds_ >= kRoundsWithoutGrowth;
    }
  }

  // Section 4.3.3.
  void check_drain(const DeliveryEvent& ack) {
    if (state_ == State::kStartup && filled_pipe_) {
      state_ = State::kDrain;
      pacing_gain_ = 1 / kHighGain;
    }
    if (state_ == State::kDrain && at_departure(ack.in_flight, ack) <= in_flight_for(1)) {
      enter_probe_bw(ack.now);
    }
  }

  // Section 4.1.2.3; a sample equal to RTprop does not renew it (version 02, section 4.3.4.4). The first
  // sample sets the initial rate, too (section 4.2.1).
  void update_round_trip(const DeliveryEvent& ack) {
    const bool first = round_trip_ == kNever;
    expired_ = !first && ack.now > sampled_at_ + kRoundTripLasts;
    if (ack.round_trip > 0 && (ack.round_trip < round_trip_ || expired_)) {
      round_trip_ = ack.round_trip;
      sampled_at_ = ack.now;
      if (first) {
        pacing_rate_ = initial_rate(round_trip_);
      }
    }
  }

  // Section 4.3.5.
  void check_probe_rtt(const DeliveryEvent& ack) {
    if (state_ != State::kProbeRtt && expired_ && !idle_restart_) {
      state_ = State::kProbeRtt;
      pacing_gain_ = window_gain_ = 1;
      save_window();
      probe_ends_ = kNever;
    }
    if (state_ == State::kProbeRtt) {
      probe_round_trip(ack);
    }
    idle_restart_ = false;
  }

  void probe_round_trip(const DeliveryEvent& ack) {
    if (probe_ends_ == kNever) {
      if (ack.in_flight <= kLeastWindow) {
        probe_ends_ = ack.now + kProbeRttLasts;
        probed_round_ = false;
        round_ends_ = delivered_;
      }
      return;
    }
    probed_round_ = probed_round_ || round_starts_;
    if (probed_round_ && ack.now > probe_ends_) {
      end_probe_rtt(ack.now);
    }
  }

  void end_probe_rtt(Picoseconds now) {
    sampled_at_ = now;
    restore_window();
    if (filled_pipe_) {
      enter_probe_bw(now);
    } else {
      state_ = State::kStartup;
      pacing_gain_ = window_gain_ = kHighGain;
    }
  }

  // Section 4.2.1; below the estimate, so that a standing queue drains (version 02, section 4.6.2).
  void set_pacing_rate(double gain) {
    const double rate = kPacingFactor * gain * sending_rate();
    if (rate > pacing_rate_ || (filled_pipe_ && rate > 0)) {
      pacing_rate_ = rate;
    }
  }

  // Sections 4.2.3.4 to 4.2.3.6.
  void set_window(const DeliveryEvent& ack) {
    recover(ack);
    if (recovery_ != RecoveryPhase::kConserves) {
      const double target = in_flight_for(window_gain_, sending_rate(), aggregation_.extra());
      if (filled_pipe_) {
        window_ = static_cast<std::int32_t>(std::min<double>(window_ + ack.delivered, target));
      } else if (window_ < target || delivered_ < initial_) {
        window_ += ack.delivered;
      }
      window_ = std::max(window_, kLeastWindow);
    }
    if (state_ == State::kProbeRtt) {
      window_ = std::min(window_, kLeastWindow);
    }
  }

  // Section 4.2.3.4.
  void recover(const DeliveryEvent& ack) {
    if (std::exchange(recovered_, false)) {
      end_recovery();
    }
    if (recovery_ == RecoveryPhase::kBegins) {
      recovery_ = RecoveryPhase::kConserves;
      round_ends_ = delivered_;
      window_ = ack.in_flight + std::max(ack.delivered, 1);
      return;
    }
    if (recovery_ == RecoveryPhase::kAfterTimeout && ack.una >= recover_) {
      end_recovery();
    }
    if (recovery_ == RecoveryPhase::kConserves && round_starts_) {
      recovery_ = RecoveryPhase::kGrows;
    }
    if (recovery_ != RecoveryPhase::kNone) {
      window_ = std::max(window_ - ack.lost, 1);
    }
    if (recovery_ == RecoveryPhase::kConserves) {
      window_ = std::max(window_, ack.in_flight + ack.delivered);
    }
  }

  void end_recovery() {
    recovery_ = RecoveryPhase::kNone;
    restore_window();
  }

  void save_window() {
    const bool good = recovery_ == RecoveryPhase::kNone && state_ != State::kProbeRtt;
    good_window_ = good ? window_ : std::max(good_window_, window_);
  }
  void restore_window() { window_ = std::max(window_, good_window_); }

  kit::Random phases_{0, kit::Stream::kPhases};
  WindowedMax<kBottleneckRounds> bottleneck_;  // BtlBw
  AckAggregation aggregation_;
  LongTermRate policer_;
  double pacing_rate_ = 1;
  double pacing_gain_ = kHighGain;
  double window_gain_ = kHighGain;
  double full_rate_ = 0;             // full_bw
  Picoseconds round_trip_ = kNever;  // RTprop
  Picoseconds sampled_at_ = 0;       // rtprop_stamp
  Picoseconds phase_began_ = 0;      // cycle_stamp
  Picoseconds probe_ends_ = kNever;  // probe_rtt_done_stamp; kNever: too many are in flight yet
  std::int64_t delivered_ = 0;
  std::int64_t lost_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t round_ends_ = 0;  // next_round_delivered
  std::size_t phase_ = 0;
  std::int32_t most_ = INT32_MAX;  // the receiver's window
  double packet_bits_ = 8 * 1500;
  bool is_paced_ = true;
  std::int32_t initial_ = 1;
  std::int32_t window_ = 1;
  std::int32_t good_window_ = 0;  // prior_cwnd
  std::int32_t recover_ = 0;      // the first packet not sent before the timeout
  int full_rounds_ = 0;           // full_bw_count
  State state_ = State::kStartup;
  RecoveryPhase recovery_ = RecoveryPhase::kNone;
  bool round_starts_ = false;
  bool filled_pipe_ = false;
  bool expired_ = false;
  bool probed_round_ = false;
  bool idle_restart_ = false;
  bool recovered_ = false;  // with this acknowledgement
};

static_assert(CongestionWindow<Bbr>);

}  // namespace packetsim
