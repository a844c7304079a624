// SPDX-License-Identifier: GPL-2.0-only
// The stop rule of an isolated flow, hung on ns-3's sender.
#pragma once

#include <cstdint>

#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/loss_events.hpp"
#include "tcp/packet_compound.hpp"

namespace tcp_atlas {

class LossEvents {
 public:
  // Throws kit::Unsupported.
  explicit LossEvents(const kit::Point& point)
      : warmup_(point.stop.warmup_loss_events), loss_events_(point) {}

  // The run begins at a random point of a cycle, drawn as packetsim draws it.
  void watch(ns3::Ptr<PacketSender> sender, std::uint64_t seed);

  // A packet is dropped. Returns the loss events since the warm-up if this begins one, else -1.
  std::int64_t dropped();
  void restart();
  void write_to(kit::Measurements& result);

 private:
  void round_trip_ended(const PacketCompound::RoundTripEnd& end);
  void window_cut(std::uint32_t before, std::uint32_t after);

  std::int64_t warmup_;
  ns3::Ptr<PacketSender> sender_;
  kit::LossEvents loss_events_;
};

}  // namespace tcp_atlas
