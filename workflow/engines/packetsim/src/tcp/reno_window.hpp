// NewReno's congestion window under selective acknowledgements: RFC 5681 with loss detection by RFC 6675.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "kit/point/point.hpp"
#include "tcp/window.hpp"

namespace packetsim {

class RenoWindow : public WindowDefaults {
 public:
  static constexpr std::string_view kName = "newreno-sack";

  static Recovery recovery(const kit::Tcp& tcp) {
    return tcp.linux_rules ? Recovery::kPrr : Recovery::kRfc6675;
  }

  bool counts_deliveries() const { return linux_; }

  RenoWindow() = default;
  explicit RenoWindow(const kit::Tcp& tcp) : most_(tcp.rwnd_packets), linux_(tcp.linux_rules) {}

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    set(initial_window);
    ssthresh_ = ssthresh;
    last_timed_out_ = cut_until_ = 0;
  }

  std::int32_t window() const { return window_; }
  std::int32_t ssthresh() const { return ssthresh_; }

  // A packet more for each acknowledgement in slow start, one for each window of them after it (RFC
  // 5681, 3.1): it is acknowledgements that count, so that a receiver that delays them makes growth slower.
  // Linux counts the packets that they acknowledge (tcp_reno_cong_avoid).
  void on_ack(const WindowEvent& ack) {
    if (linux_) {
      grow_by(ack.acked);
    } else {
      grow();
    }
  }

  void on_loss(const WindowEvent& state) {
    cut_to(halved_flight(state));
    note_cut(state);
  }

  // A mark halves the window itself (RFC 3168, 6.1.2).
  void on_mark(const WindowEvent& state) {
    cut_to(window_ / 2);
    note_cut(state);
  }

  void on_recovered(std::int32_t /*una*/, std::int32_t /*next*/) {
    if (!linux_) {
      grow();
    }
  }

  // The threshold is not cut a second time for the same packet (RFC 5681, 3.1), nor in Linux within a
  // recovery (tcp_enter_loss).
  void on_timeout(const WindowEvent& state) {
    if (linux_ ? state.una >= cut_until_ || state.una > last_timed_out_ : state.una != last_timed_out_) {
      ssthresh_ = halved_flight(state);
    }
    last_timed_out_ = state.una;
    cut_until_ = state.next;
    set(linux_ ? state.in_flight + 1 : 1);
  }

  void limit(std::int32_t packets) { set(std::min(window_, packets)); }

 protected:
  // Until what has been sent has arrived, a timeout cuts nothing once more.
  void note_cut(const WindowEvent& state) {
    cut_until_ = state.next;
    last_timed_out_ = linux_ ? INT32_MAX : last_timed_out_;
  }

  void cut_to(std::int64_t packets) {
    ssthresh_ = static_cast<std::int32_t>(std::max<std::int64_t>(packets, 2));
    set(ssthresh_);
  }

 private:
  // RFC 5681, equation 4, where new packets sent on the first duplicates do not count (RFC 6675, section 5,
  // step 4.2). Linux halves the window (tcp_reno_ssthresh).
  std::int32_t halved_flight(const WindowEvent& state) const {
    return std::max((linux_ ? window_ : std::min(state.next - state.una, window_)) / 2, 2);
  }

  void set(std::int32_t packets) {
    window_ = std::min(packets, most_);
    acks_ = 0;
  }

  void grow() {
    if (window_ >= most_) {
      return;
    }
    if (window_ <= ssthresh_) {
      ++window_;
    } else if (++acks_ >= window_) {
      acks_ = 0;
      ++window_;
    }
  }

  void grow_by(std::int32_t packets) {
    if (window_ < ssthresh_) {
      const std::int32_t grown = std::min(window_ + packets, ssthresh_);
      packets -= grown - window_;
      window_ = grown;
    }
    acks_ += packets;
    if (acks_ >= window_) {
      const std::int32_t more = acks_ / window_;
      acks_ -= more * window_;
      window_ += more;
    }
    window_ = std::min(window_, most_);
  }

  std::int32_t most_ = INT32_MAX;  // the receiver's window
  bool linux_ = false;
  std::int32_t window_ = 1;
  std::int32_t ssthresh_ = 0;
  std::int32_t last_timed_out_ = 0;  // packet that the timer last sent again
  std::int32_t cut_until_ = 0;       // the first packet not sent at the last cut
  std::int32_t acks_ = 0;            // since the window last grew in congestion avoidance
};

static_assert(CongestionWindow<RenoWindow>);

}  // namespace packetsim
