// SPDX-License-Identifier: GPL-2.0-only
// One bulk transfer of Compound TCP that never ends, alone on the dumbbell (Blanc, Collange and Avrachenkov
// 2008, section 2).
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/probes/results.hpp"
#include "network.hpp"
#include "tcp/packet_compound.hpp"

namespace tcp_atlas {

class CompoundFlow {
 public:
  // Throws kit::Unsupported. A run begins at a random point of a cycle, drawn as packetsim draws it.
  CompoundFlow(const kit::Point& point, std::uint64_t seed);
  CompoundFlow(const CompoundFlow&) = delete;
  CompoundFlow& operator=(const CompoundFlow&) = delete;

  // From the start to a loss event; measures from the first drop of one to the first drop of another.
  kit::Measurements run(const kit::Progress& progress = {});

  PacketCompound& sender() { return static_cast<PacketCompound&>(network_.sender(0)); }

  // The window at the end of every round trip, and before and after every cut; since the warm-up.
  const kit::Trace& trace() const { return trace_; }

 private:
  void packet_dropped();
  void round_trip_ended(const PacketCompound::RoundTripEnd& end);
  void window_cut(std::uint32_t before, std::uint32_t after);
  void trace_window(std::uint32_t window);

  kit::Point point_;
  kit::Picoseconds propagation_;
  kit::Picoseconds service_time_;  // of a packet at the bottleneck
  kit::CompoundCycles cycles_;
  kit::Trace trace_{.name = "window", .unit = "packets", .time_s = {}, .value = {}};
  kit::Picoseconds restarted_ = 0;
  kit::Progress progress_;
  Network network_;
};

}  // namespace tcp_atlas
