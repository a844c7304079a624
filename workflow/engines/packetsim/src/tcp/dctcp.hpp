// DCTCP (RFC 8257): a window that is reduced by the share of marked packets, not by half.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "kit/point/point.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/window.hpp"

namespace packetsim {

// The window is in packets, what is sent is its integer part: the RFC counts bytes.
class Dctcp : public WindowDefaults {
 public:
  static constexpr std::string_view kName = "dctcp";
  static bool echoes_each(const kit::Tcp& /*tcp*/) { return true; }  // section 3.2

  Dctcp() = default;
  explicit Dctcp(const kit::Tcp& tcp) : most_(tcp.rwnd_packets) {}

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    const double most = most_;
    *this = Dctcp();
    most_ = most;
    cwnd_ = initial_window;
    ssthresh_ = ssthresh;
  }

  std::int32_t window() const { return std::max(static_cast<std::int32_t>(cwnd_), 1); }
  std::int32_t ssthresh() const { return static_cast<std::int32_t>(ssthresh_); }
  double alpha() const { return alpha_; }

  // Section 3.3: the share of packets that were marked is estimated about once in a round trip. `una` and
  // `next` are SND.UNA and SND.NXT.
  void count(std::int32_t acked, bool marked, std::int32_t una, std::int32_t next) {
    acked_ += acked;
    marked_ += marked ? acked : 0;
    if (una > window_end_) {
      alpha_ += kGain * (static_cast<double>(marked_) / acked_ - alpha_);
      window_end_ = next;
      acked_ = marked_ = 0;
    }
  }

  // Growth is as of any TCP (section 3.3; RFC 5681, 3.1).
  void on_ack(const WindowEvent& /*ack*/) {
    cwnd_ = std::min(cwnd_ + (cwnd_ < ssthresh_ ? 1 : 1 / cwnd_), most_);
  }

  // Section 3.3, equation for cwnd; at most once in a window of packets.
  void on_mark(const WindowEvent& /*state*/) { cut(1 - alpha_ / 2); }

  // Losses halve the window, whatever the marks (section 3.5; RFC 5681, 3.1).
  void on_loss(const WindowEvent& /*state*/) { cut(0.5); }

  void on_recovered(std::int32_t /*una*/, std::int32_t /*next*/) {}

  void on_timeout(const WindowEvent& /*state*/) {
    cut(0.5);
    cwnd_ = 1;
  }

  void limit(std::int32_t packets) { cwnd_ = window() > packets ? packets : cwnd_; }

 private:
  static constexpr double kGain = 1.0 / 16;  // g, section 4.2
  static constexpr double kLeastThreshold = 2;

  void cut(double factor) {
    ssthresh_ = std::max(cwnd_ * factor, kLeastThreshold);
    cwnd_ = ssthresh_;
  }

  double most_ = INT32_MAX;  // the receiver's window
  double cwnd_ = 1;
  double ssthresh_ = 0;
  double alpha_ = 1;             // the share that is marked (section 4.2: 1 to begin with)
  std::int32_t window_end_ = 1;  // DCTCP.WindowEnd
  std::int32_t acked_ = 0;       // packets acknowledged since it was set
  std::int32_t marked_ = 0;      // of them, those that were marked
};

static_assert(CongestionWindow<Dctcp>);

// As Linux 6.1 has it (net/ipv4/tcp_dctcp.c), written anew: Reno in whole packets, whose share of marked
// packets is one of 1,024. A small window is not reduced where so small a share of it is no packet.
class DctcpLinux : public RenoWindow {
 public:
  static constexpr std::string_view kName = "dctcp";
  static constexpr bool kMarksWhatIsSentAgain = true;  // tcp_ecn_send
  static constexpr bool counts_deliveries() { return true; }
  static bool is_for(const kit::Tcp& tcp) { return tcp.linux_rules; }
  static bool echoes_each(const kit::Tcp& /*tcp*/) { return true; }

  using RenoWindow::RenoWindow;

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    RenoWindow::start(initial_window, ssthresh);
    alpha_ = kAll;
    window_end_ = 1;
    acked_ = marked_ = 0;
  }

  double alpha() const { return static_cast<double>(alpha_) / kAll; }

  void count(std::int32_t acked, bool marked, std::int32_t una, std::int32_t next) {
    acked_ += acked;
    marked_ += marked ? acked : 0;
    if (una >= window_end_) {
      alpha_ -= alpha_ < 16 ? alpha_ : alpha_ / 16;
      alpha_ = std::min(alpha_ + marked_ * (kAll / 16) / std::max(acked_, 1), kAll);
      window_end_ = next;
      acked_ = marked_ = 0;
    }
  }

  void on_mark(const WindowEvent& state) {
    cut_to(window() - window() * std::int64_t{alpha_} / 2 / kAll);
    note_cut(state);
  }

  // A loss while marks reduce the window halves what it has come to.
  std::int32_t on_loss_in_cut(std::int32_t window) {
    cut_to(window / 2);
    return ssthresh();
  }

 private:
  static constexpr std::int32_t kAll = 1024;

  std::int32_t alpha_ = kAll;
  std::int32_t window_end_ = 1;  // the next new packet when alpha was last estimated
  std::int32_t acked_ = 0;       // packets since then
  std::int32_t marked_ = 0;
};

static_assert(CongestionWindow<DctcpLinux>);

}  // namespace packetsim
