// A sender fed by hand, packet by packet (kit/tests/sender_script.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include "kit/tests/sender_script.hpp"
#include "tcp/sender.hpp"
#include "times.hpp"

namespace packetsim {

template <class Congestion>
class Script {
 public:
  explicit Script(const ScriptLimits& limits = {}, std::int32_t file = 1000, Picoseconds clock_tick = 0)
      : limits_{.rwnd = limits.rwnd,
                .initial_window = limits.initial_window,
                .ssthresh = limits.rwnd,
                .min_rto = kSecond,
                .max_rto = 64 * kSecond,
                .clock_tick = clock_tick} {
    sender.start(file, limits_, now, [this](std::int32_t packet) { sent_.push_back(packet); });
  }

  Packets started() { return take(); }

  Packets ack(std::int32_t missing) {
    sent_.clear();
    now += kMillisecond;
    sender.on_ack(
        missing, limits_, now, [this](std::int32_t packet) { sent_.push_back(packet); }, [](Picoseconds) {});
    return take();
  }

  Packets timeout() {
    sent_.clear();
    now = sender.deadline();
    sender.on_timeout(limits_, now, [this](std::int32_t packet) { sent_.push_back(packet); });
    return take();
  }

  void ack_all_below(std::int32_t missing) {
    while (sender.tcp().una < missing) {
      ack(sender.tcp().una + 1);
    }
  }

  std::int32_t cwnd() const { return sender.tcp().cwnd; }
  std::int32_t ssthresh() const { return sender.tcp().ssthresh; }
  std::int32_t outstanding() const { return sender.tcp().outstanding(); }
  bool in_recovery() const { return sender.in_recovery(); }

  Sender<Congestion> sender;
  Picoseconds now = 0;

 private:
  Packets take() { return std::exchange(sent_, {}); }

  TcpLimits limits_;
  Packets sent_;
};

}  // namespace packetsim
