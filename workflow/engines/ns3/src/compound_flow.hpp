// SPDX-License-Identifier: GPL-2.0-only
// One bulk transfer of Compound TCP that never ends, alone on the dumbbell (Blanc, Collange and Avrachenkov
// 2008, section 2).
#pragma once

#include <cstdint>

#include "loss_events.hpp"
#include "measurements.hpp"
#include "network.hpp"
#include "point.hpp"
#include "probes/results.hpp"
#include "simulate.hpp"
#include "tcp/packet_compound.hpp"

namespace tcp_atlas {

class CompoundFlow {
 public:
  // Throws packetsim::Unsupported. A run begins at a random point of a cycle, drawn as packetsim draws it.
  CompoundFlow(const packetsim::Point& point, std::uint64_t seed);
  CompoundFlow(const CompoundFlow&) = delete;
  CompoundFlow& operator=(const CompoundFlow&) = delete;

  // From the start to a loss event; measures from the first drop of one to the first drop of another.
  packetsim::Measurements run(const packetsim::Progress& progress = {});

  PacketCompound& sender() { return static_cast<PacketCompound&>(network_.sender(0)); }

  // The window at the end of every round trip, and before and after every cut; since the warm-up.
  const packetsim::Trace& trace() const { return trace_; }

 private:
  void packet_dropped();
  void round_trip_ended(const PacketCompound::RoundTripEnd& end);
  void window_cut(std::uint32_t before, std::uint32_t after);
  void trace_window(std::uint32_t window);

  packetsim::Point point_;
  packetsim::Picoseconds propagation_;
  packetsim::Picoseconds service_time_;  // of a packet at the bottleneck
  packetsim::LossEvents loss_events_;
  packetsim::Trace trace_{.name = "window", .unit = "packets", .time_s = {}, .value = {}};
  packetsim::Picoseconds restarted_ = 0;
  packetsim::Progress progress_;
  Network network_;
};

}  // namespace tcp_atlas
