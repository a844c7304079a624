// A sender with selective acknowledgements that finds losses by time: RACK-TLP (RFC 8985), in place of RFC
// 6675's count of later packets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "tcp/rack.hpp"
#include "tcp/recovery.hpp"
#include "tcp/sack_sender.hpp"
#include "tcp/tail_loss_probe.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// A window whose sender finds losses by time.
template <class Window>
class ByTime : public Window {
 public:
  static constexpr bool kFindsLossesByTime = true;

  static bool is_for(const kit::Tcp& tcp) {
    bool is_for_window = true;
    if constexpr (requires { Window::is_for(tcp); }) {
      is_for_window = Window::is_for(tcp);
    }
    return is_for_window && tcp.loss_detection == kit::LossDetection::kRackTlp;
  }

  using Window::Window;
};

// It has the members of SackSender. In flight is what is outstanding and not taken for lost, as RFC
// 9937, 6.2, has it: a packet that is sent again without having been lost, as a probe, counts once.
//
// One of three timers runs (section 8): the nearest of the reordering timer, PTO and the retransmission
// timer, which neither of the others outlasts.
template <CongestionWindow Window>
class RackSender : public SackSender<Window> {
  using Base = SackSender<Window>;

 public:
  using Base::done, Base::in_recovery;

  RackSender() = default;
  RackSender(Window window, const TcpLimits& limits, Recovery recovery, bool ecn = false,
             TailLossProbe::Margins margins = {})
      : Base(std::move(window), limits, recovery, ecn), rack_(margins.linux_timers), probe_(margins) {}

  template <class Send>
  void start(std::int32_t file_packets, std::int32_t ssthresh, Picoseconds now, Send send) {
    rack_.start(now);
    probe_.start();
    highest_ = 0;
    cut_at_ = 0;
    Base::start(file_packets, ssthresh, now, noting(send));
    timeout_at_ = deadline_;
  }

  template <class Send>
  void resume(std::int32_t packets, Picoseconds now, Send send) {
    rack_.set_now(now);
    schedules_ = sends_new_ = false;
    const bool was_done = done();
    Base::resume(packets, now, noting(send));
    timeout_at_ = was_done ? deadline_ : timeout_after(timeout_at_, probe_.deadline() != kNever, now);
    set_deadline(now);
  }

  void on_delayed_ack(std::int64_t transmission) { take_arrival(transmission); }

  void take_late(std::int32_t packet) {
    if (packet < una_ || Base::arrived(packet)) {
      rack_.arrived_again(packet);
      return;
    }
    in_flight_ -= rack_.arrived_late(packet, lost_) ? 1 : 0;
    const std::int32_t una = una_;
    Base::mark_arrived(packet);
    acked_ += una_ - una;
  }

  template <class Send>
  Picoseconds on_ack(std::int64_t transmission, Picoseconds now, Send send, bool marked = false) {
    rack_.set_now(now);
    take_arrival(transmission);
    schedules_ = acked_ > 0;
    sends_new_ = false;
    const bool probes = probe_.deadline() != kNever;
    const Picoseconds sample = rto_.acknowledged(una_, now, limits_);
    if (rto_.stale()) [[unlikely]] {
      measure_by_time_stamp();
    }
    if (rack_.update()) {
      probe_.measured();
    }
    if (probe_.on_ack(una_, rack_.twice())) {
      cut(now);
    }
    const Rack::Losses losses = detect_losses();
    if (losses.packets > 0 && losses.retransmission >= cut_at_) [[unlikely]] {
      react_to_lost_retransmission(now);
    }
    const std::int32_t recover = recover_;
    const std::int64_t first = transmissions_;
    this->template react<false>(losses.packets, now, noting(send), marked);
    if (recover_ != recover) {
      note_recovery(first);
    }
    if (done()) {
      timeout_at_ = deadline_;
      probe_.cancel();
    } else {
      timeout_at_ = timeout_after(deadline_, probes, now);
      set_deadline(now);
    }
    return sample;
  }
  // The deadline is not the retransmission timer's: the reordering timer has run out, or it is time for a
  // probe. Returns whether it was so.
  template <class Send>
  bool release(Picoseconds now, Send send) {
    if (deadline_ < std::min(probe_.deadline(), rack_.deadline())) {
      const bool waits = rto_.waits_for_tick(now, timeout_at_);
      deadline_ = std::min({timeout_at_, probe_.deadline(), rack_.deadline()});
      return waits;
    }
    rack_.set_now(now);
    if (rack_.deadline() == deadline_) {
      on_reordering_timer(now, noting(send));
    } else if (probe_.waits_for_tick(now, timeout_at_)) {
      deadline_ = probe_.deadline();
      return true;
    } else {
      probe_.cancel();
      if (probe_.may_be_sent() && una_ < next_ && beyond_ == 0) {
        send_probe(now, noting(send));
      }
    }
    schedules_ = false;
    timeout_at_ = rto_.deadline(now, limits_);
    set_deadline(now);
    return true;
  }

  // As SackSender's, but only what had time enough counts as lost (section 6.3).
  template <class Send>
  void on_timeout(Picoseconds now, Send send) {
    rack_.set_now(now);
    rto_.back_off(limits_);
    rto_.stop_timing();
    in_flight_ -= rack_.mark_losses_on_timeout(sight(), lost_);
    WindowEvent left = state(now);
    left.in_flight = in_flight_;
    window_.on_timeout(left);
    Base::begin_timeout_recovery(now);
    note_recovery(transmissions_);
    timeout_at_ = deadline_;
    if (in_flight_ >= Base::room()) {
      send_first_lost(now, noting(send));  // whatever is in flight (RFC 6298, 5.4)
    }
    Base::send_window(now, noting(send));
    set_deadline(now);
  }

 private:
  using Base::acked_, Base::allowed_, Base::arrived_, Base::beyond_, Base::cut_until_, Base::deadline_,
      Base::file_packets_, Base::first_on_path_, Base::in_flight_, Base::kNone, Base::limits_, Base::lost_,
      Base::next_, Base::on_path_, Base::recover_, Base::recovery_, Base::rto_, Base::sample_from_,
      Base::transmissions_, Base::una_, Base::window_, Base::note_cut, Base::send_first_lost, Base::state,
      Base::transmit;

  // Returns `send` with what RACK notes of a transmission (section 6.1).
  template <class Send>
  auto noting(Send send) {
    return [this, send](std::int32_t packet, std::int64_t transmission) {
      if (packet > highest_) [[likely]] {
        rack_.transmitted(packet, una_, transmission, false);
        highest_ = packet;
        schedules_ = sends_new_ = true;
      } else {
        rack_.transmitted(packet, una_, transmission, true);
      }
      send(packet, transmission);
    };
  }

  void take_arrival(std::int64_t transmission) {
    for (; first_on_path_ < transmission; ++first_on_path_) {
      rack_.passed(on_path_.front().packet, first_on_path_);
      on_path_.pop();
    }
    const auto arrival = on_path_.front();
    on_path_.pop();
    ++first_on_path_;
    sample_from_ = kNone;
    if (arrival.packet != una_ && (arrival.packet < una_ || Base::arrived(arrival.packet))) [[unlikely]] {
      rack_.arrived_again(arrival.packet);
      return;
    }
    sample_from_ = rack_.sent_once(arrival.packet) ? arrival.sent : kNone;
    in_flight_ -= rack_.arrived(arrival.packet, transmission, lost_, arrival.packet == una_) ? 1 : 0;
    const std::int32_t una = una_;
    Base::mark_arrived(arrival.packet);
    acked_ += una_ - una;
  }

  Rack::Sight sight() const {
    return {
        .una = una_, .next = next_, .sacked = beyond_, .srtt = rto_.srtt(), .recovering = una_ <= recover_};
  }

  // The retransmission timer. Where Linux sends new packets while a probe waits, it is set anew, from when
  // the first missing packet was sent (tcp_event_new_data_sent, tcp_rearm_rto).
  Picoseconds timeout_after(Picoseconds otherwise, bool probe_waits, Picoseconds now) const {
    if (!limits_.min_rto_above_srtt || !probe_waits || !sends_new_) {
      return otherwise;
    }
    const Picoseconds timeout = rack_.sent_at(una_) + rto_.rto();
    return timeout > now ? timeout : otherwise;
  }

  Rack::Losses detect_losses() {
    const Rack::Losses losses = rack_.detect(sight(), lost_);
    if (losses.packets > 0) [[unlikely]] {
      in_flight_ -= losses.packets;
    }
    return losses;
  }

  // After a timeout the first acknowledgement takes the back-off back.
  [[gnu::noinline]] void measure_by_time_stamp() {
    if (const Picoseconds round_trip = rack_.stamped(acked_ > 0); round_trip > 0) {
      rto_.take(round_trip, limits_);
    }
  }

  // `first`: the number of the first transmission in the recovery.
  void note_recovery(std::int64_t first) {
    cut_at_ = first;
    probe_.begin_recovery();
  }

  void cut(Picoseconds now) {
    if (una_ > cut_until_) {
      window_.on_loss(state(now));
      note_cut();
    }
  }

  // It is another sign of congestion (RFC 5681, 4.3), once a window: without PRR the window is cut again (RFC
  // 8985, 9.3). In a timeout's recovery it begins a fast one.
  void react_to_lost_retransmission(Picoseconds now) {
    if (!in_recovery()) {
      recover_ = una_ - 1;
    } else if (recovery_ != Recovery::kPrr) {
      cut_at_ = transmissions_;
      cut(now);
    }
  }

  void set_deadline(Picoseconds now) {
    if (una_ <= recover_ || beyond_ > 0) {
      probe_.cancel();
    } else if (schedules_) {
      probe_.schedule(now, rto_.srtt(), next_ - una_, timeout_at_);
    }
    deadline_ = std::min({timeout_at_, probe_.deadline(), rack_.deadline()});
  }

  template <class Send>
  void on_reordering_timer(Picoseconds now, Send send) {
    const bool any_lost = detect_losses().packets > 0;
    allowed_ = in_flight_;
    if (any_lost && !in_recovery() && una_ > recover_) {
      note_recovery(transmissions_);
      Base::begin_recovery(0, now, send);
      allowed_ = in_flight_ + 1;  // PRR: the fast retransmit (RFC 9937, 6.2)
    }
    Base::send_window(now, send);
  }

  // Section 7.3.
  template <class Send>
  void send_probe(Picoseconds now, Send send) {
    const bool has_new = next_ < una_ + limits_.rwnd && next_ <= file_packets_;
    if (has_new) {
      rto_.sent_new(next_, now);
      transmit(next_++, now, now, send);
    } else {
      rto_.sent_again(next_ - 1);
      --in_flight_;
      transmit(next_ - 1, kNone, now, send);
    }
    probe_.sent(next_, !has_new);
  }

  Rack rack_;
  TailLossProbe probe_;
  Picoseconds timeout_at_ = kNever;
  std::int32_t highest_ = 0;  // the highest packet sent
  std::int64_t cut_at_ = 0;   // transmissions before the window was last cut
  bool schedules_ = false;    // a probe: new packets have been sent or acknowledged (section 7.2)
  bool sends_new_ = false;    // with what happens now
};

}  // namespace packetsim
