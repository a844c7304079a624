// SPDX-License-Identifier: GPL-2.0-only
// A queue discipline as a device's queue, which counts the packet in service.
#pragma once

#include <cstdint>

#include "ns3/traced-value.h"
#include "queue/disc_queue.hpp"

namespace tcp_atlas {

// The queue of a device that asks for the next packet as soon as one has left, as PointToPointNetDevice does.
class ManagedQueue : public DiscQueue {
 public:
  static ns3::TypeId GetTypeId();

  void SetDisc(ns3::Ptr<ns3::QueueDisc> disc, FlowOf flowOf);
  bool Enqueue(ns3::Ptr<ns3::Packet> packet) override;
  ns3::Ptr<ns3::Packet> Dequeue() override;

 private:
  void Count();

  ns3::Ptr<ns3::QueueDisc> m_disc;
  std::uint32_t m_inService = 0;
  ns3::TracedValue<std::uint32_t> m_present{0};
};

}  // namespace tcp_atlas
