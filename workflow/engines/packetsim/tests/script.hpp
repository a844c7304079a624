// A sender fed by hand, packet by packet.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tcp/sender.hpp"
#include "times.hpp"

namespace packetsim {

using Packets = std::vector<std::int32_t>;

// Every event of a transfer gives the packets that the sender answers it with; acknowledgements, one a
// millisecond, name the first missing packet.
template <class Congestion>
class Script {
 public:
  Script(std::int32_t file, const TcpLimits& limits) : limits_(limits) {
    sender.start(file, limits_, now, [this](std::int32_t packet) { sent_.push_back(packet); });
  }

  Packets started() { return take(); }

  Packets ack(std::int32_t missing) {
    sent_.clear();
    now += kMillisecond;
    sender.on_ack(missing, limits_, now, [this](std::int32_t packet) { sent_.push_back(packet); });
    return take();
  }

  Packets timeout() {
    sent_.clear();
    now = sender.deadline();
    sender.on_timeout(limits_, now, [this](std::int32_t packet) { sent_.push_back(packet); });
    return take();
  }

  // Acknowledges packet after packet until `missing` is the first missing.
  void ack_all_below(std::int32_t missing) {
    while (sender.tcp().una < missing) {
      ack(sender.tcp().una + 1);
    }
  }

  std::int32_t cwnd() const { return sender.tcp().cwnd; }
  std::int32_t ssthresh() const { return sender.tcp().ssthresh; }

  Sender<Congestion> sender;
  Picoseconds now = 0;

 private:
  Packets take() { return std::exchange(sent_, {}); }

  TcpLimits limits_;
  Packets sent_;
};

}  // namespace packetsim
