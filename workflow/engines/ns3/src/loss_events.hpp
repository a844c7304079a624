// SPDX-License-Identifier: GPL-2.0-only
// The stop rule of an isolated flow, from the first drop of one loss event to the first drop of another, and
// what is measured of the cycles between them (Blanc, Collange and Avrachenkov 2008, section 2).
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/probes/results.hpp"
#include "tcp/packet_compound.hpp"

namespace tcp_atlas {

class LossEvents {
 public:
  // Throws kit::Unsupported.
  explicit LossEvents(const kit::Point& point);

  // The run begins at a random point of a cycle, drawn as packetsim draws it.
  void watch(ns3::Ptr<PacketSender> sender, std::uint64_t seed);

  // A packet is dropped. Returns the loss events since the warm-up if this begins one, else -1.
  std::int64_t dropped();
  void restart();
  void write_to(kit::Measurements& result) const;

 private:
  void round_trip_ended(const PacketCompound::RoundTripEnd& end);
  void window_cut(std::uint32_t before, std::uint32_t after);
  void trace_window(std::uint32_t window);

  kit::Probes probes_;
  std::int64_t warmup_;
  kit::Picoseconds propagation_;
  kit::Picoseconds service_time_;  // of a packet at the bottleneck
  std::int32_t buffer_packets_;
  ns3::Ptr<PacketSender> sender_;
  kit::CompoundCycles cycles_;
  // The window at the end of every round trip, and before and after every cut; since the warm-up.
  kit::Trace trace_{.name = "window", .unit = "packets", .time_s = {}, .value = {}};
  kit::Picoseconds restarted_ = 0;
};

}  // namespace tcp_atlas
