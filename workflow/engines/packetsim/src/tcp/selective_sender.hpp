// A sender with selective acknowledgements: what sack_sender.hpp is, behind the members of sender.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "tcp/ecn.hpp"
#include "tcp/rack_sender.hpp"
#include "tcp/sack_sender.hpp"

namespace packetsim {

// `Window` is the congestion window (window.hpp), made of what a point says of TCP. `send` is any callable
// that takes a number: that of the transmission, as far as EcnBits leaves it room, and those.
template <class Window>
class SelectiveSender {
 public:
  SelectiveSender() = default;
  explicit SelectiveSender(const kit::Tcp& tcp)
      : sack_(sack_sender_of(tcp)),
        echo_(!has_ecn(tcp)              ? EcnEcho::kNone
              : Window::echoes_each(tcp) ? EcnEcho::kEach
                                         : EcnEcho::kUntilReduced) {}

  // For what the window draws at random.
  void seed(std::uint64_t seed, std::size_t flow) { sack_.window().seed(seed, flow); }

  // Whether acknowledgements name the packets that have come, and not the first that is missing.
  static constexpr bool is_selective() { return true; }

  // How its receiver is to tell of marks.
  EcnEcho echo() const { return echo_; }

  template <class Send>
  void start(std::int32_t file_packets, const TcpLimits& limits, Picoseconds now, Send send) {
    ended_ = false;
    sack_.start(file_packets, limits.ssthresh, now, numbered(send));
  }

  // The file is `packets` longer: of a connection that outlives its files.
  template <class Send>
  void resume(std::int32_t packets, const TcpLimits& /*limits*/, Picoseconds now, Send send) {
    ended_ = false;
    sack_.resume(packets, now, numbered(send));
  }

  // See Sender.
  bool end_file() { return ended_ = sack_.end_file(); }

  // Calls sampled(time) with the round-trip sample, if the acknowledgement gives one. Returns whether it was
  // the last of the file.
  template <class Send, class Sampled>
  [[gnu::always_inline]] bool on_ack(std::int32_t number, const TcpLimits& /*limits*/, Picoseconds now,
                                     Send send, Sampled sampled) {
    return sampled_and_ended(
        sack_.on_ack(transmission_of(number), now, numbered(send), EcnBits::has(number, EcnBits::kAnswer)),
        sampled);
  }
  // As a part of the caller: see SackSender. For a path that marks no packets.
  template <class Send, class Sampled>
  [[gnu::always_inline]] bool on_ack_inlined(std::int32_t number, Picoseconds now, Send send,
                                             Sampled sampled) {
    return sampled_and_ended(sack_.on_ack_inlined(transmission_of(number), now, unmarked(send)), sampled);
  }

  // A packet has arrived whose acknowledgement waits for the next one's.
  void on_delayed_ack(std::int32_t number) { sack_.on_delayed_ack(transmission_of(number)); }

  // A packet has arrived that later ones have overtaken. Returns whether it was the last of the file.
  bool take_late(std::int32_t packet) {
    if (!ended_) {
      sack_.take_late(packet);
    }
    return !ended_ && sack_.done() && end_file();
  }

  template <class Send>
  bool release(Picoseconds now, Send send) {
    return sack_.release(now, numbered(send));
  }
  template <class Send>
  void on_timeout(const TcpLimits& /*limits*/, Picoseconds now, Send send) {
    sack_.on_timeout(now, numbered(send));
  }

  bool done() const { return sack_.done(); }
  bool in_recovery() const { return sack_.in_recovery(); }
  Picoseconds deadline() const { return sack_.deadline(); }
  std::int32_t una() const { return sack_.una(); }
  // Packets that have arrived, but behind one that has not.
  std::int32_t beyond_hole() const { return sack_.beyond_hole(); }
  std::int32_t file_packets() const { return sack_.file_packets(); }
  std::int32_t packet_of(std::int32_t number) const { return sack_.packet_of(transmission_of(number)); }
  std::int32_t missing_after(std::int32_t number) const {
    return sack_.missing_after(transmission_of(number));
  }
  const Window& window() const { return sack_.window(); }
  WindowView window_view() const {
    const std::int32_t window = sack_.window().window();
    return {.cwnd = window, .ssthresh = sack_.window().ssthresh(), .deflated = window};
  }
  TimeoutState timeout_state() const {
    const WindowView view = window_view();
    return {.packet = una(),
            .cwnd = view.cwnd,
            .slow_start = view.cwnd <= view.ssthresh,
            .in_recovery = in_recovery()};
  }

 private:
  static constexpr bool kByTime = Window::kFindsLossesByTime;
  using Sack = std::conditional_t<kByTime, RackSender<Window>, SackSender<Window>>;

  static Sack sack_sender_of(const kit::Tcp& tcp) {
    if constexpr (kByTime) {
      const TailLossProbe::Margins of_rfc = {.lone = tcp.delayed_ack ? picoseconds(tcp.delayed_ack->timeout_s)
                                                                     : 0};
      return Sack(Window(tcp), limits_of(tcp), recovery_of(tcp), has_ecn(tcp),
                  tcp.linux_timers ? TailLossProbe::kLinux : of_rfc);
    } else {
      return Sack(Window(tcp), limits_of(tcp), recovery_of(tcp), has_ecn(tcp), tcp.pacing.value_or(false));
    }
  }

  template <class Sampled>
  [[gnu::always_inline]] bool sampled_and_ended(Picoseconds sample, Sampled sampled) {
    if (sample > 0) {
      sampled(sample);
    }
    // What was sent twice may arrive when nothing is missing any more: the file ends once. A packet whose
    // acknowledgement waited may have completed it before this one.
    const bool ends = sack_.done() && !ended_;
    ended_ = ended_ || ends;
    return ends;
  }

  static Recovery recovery_of(const kit::Tcp& tcp) {
    if (tcp.sack_recovery) {
      return *tcp.sack_recovery == kit::SackRecovery::kPrr ? Recovery::kPrr : Recovery::kRfc6675;
    }
    return Window::recovery(tcp);
  }

  // Of a window whose receivers tell of each marked packet, ECN is a part.
  static bool has_ecn(const kit::Tcp& tcp) { return tcp.ecn.value_or(Window::echoes_each(tcp)); }

  std::int64_t transmission_of(std::int32_t number) const {
    return sack_.transmission_of(static_cast<std::uint32_t>(number), EcnBits::kNumberBits);
  }
  template <class Send>
  static auto unmarked(Send send) {
    return [send](std::int32_t /*packet*/, std::int64_t transmission) __attribute__((always_inline)) {
      send(static_cast<std::int32_t>(static_cast<std::uint32_t>(transmission) & EcnBits::kNumber));
    };
  }
  template <class Send>
  auto numbered(Send send) const {
    return [ this, send ](std::int32_t /*packet*/, std::int64_t transmission) __attribute__((always_inline)) {
      send(static_cast<std::int32_t>((static_cast<std::uint32_t>(transmission) & EcnBits::kNumber) |
                                     sack_.ecn_bits()));
    };
  }

  Sack sack_;
  EcnEcho echo_ = EcnEcho::kNone;
  bool ended_ = false;  // the end of the file has been told
};

}  // namespace packetsim
