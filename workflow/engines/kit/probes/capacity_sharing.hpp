// The share of the capacity that connections get, by the number that were ON when they began (Zaragoza 2014,
// section 5.3, figure 11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives capacity_share[j] = j (P F_j / ON_j) / C: F_j and ON_j are the mean size and duration of the
// connections that were the j-th to be ON when they reached the bottleneck.
class CapacitySharing : public NoObserver {
 public:
  CapacitySharing(std::size_t flows, double packet_bits, double bottleneck_bit_per_s)
      : share_of_one_packet_per_s_(packet_bits / bottleneck_bit_per_s), flows_(flows), states_(flows + 1) {}

  void warm_up_ended(Picoseconds) { states_.assign(states_.size(), {}); }

  void transfer_started(std::int32_t flow, std::int32_t file_packets) {
    at(flow).file_packets = file_packets;
  }

  void transfer_seen_at_bottleneck(std::int32_t flow, std::size_t active) { at(flow).state = active; }

  void transfer_completed(std::int32_t flow, bool, Picoseconds duration, Picoseconds) {
    State& state = states_[at(flow).state];
    ++state.connections;
    state.packets += at(flow).file_packets;
    state.duration_s += seconds(duration);
  }

  void report(ProbeResults& results) const {
    for (std::size_t j = 1; j < states_.size(); ++j) {
      const State& state = states_[j];
      if (state.connections > kFewest) {
        results.ratio(
            "capacity_share[" + std::to_string(j) + "]", "1",
            static_cast<double>(j) * static_cast<double>(state.packets) * share_of_one_packet_per_s_,
            state.duration_s);
      }
    }
  }

 private:
  static constexpr std::int64_t kFewest = 10;  // the paper: "more than 10 samples"

  struct Flow {
    std::int32_t file_packets = 0;
    std::size_t state = 0;
  };
  struct State {
    std::int64_t connections = 0;
    std::int64_t packets = 0;
    double duration_s = 0;
  };

  Flow& at(std::int32_t flow) { return flows_[static_cast<std::size_t>(flow)]; }

  double share_of_one_packet_per_s_;
  std::vector<Flow> flows_;
  std::vector<State> states_;
};

}  // namespace kit
