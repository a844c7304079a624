// SPDX-License-Identifier: GPL-2.0-only
// A drop-tail FIFO whose limit counts the packet in service, as the papers count.
#pragma once

#include <cstdint>

#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/traced-value.h"

namespace tcp_atlas {

// The queue of a device that asks for the next packet as soon as one has left, as PointToPointNetDevice does:
// a packet is in service from when it is taken out until the device asks again. MaxSize is in packets.
class InclusiveDropTailQueue : public ns3::Queue<ns3::Packet> {
 public:
  static ns3::TypeId GetTypeId();

  bool Enqueue(ns3::Ptr<ns3::Packet> packet) override;
  ns3::Ptr<ns3::Packet> Dequeue() override;
  ns3::Ptr<ns3::Packet> Remove() override;
  ns3::Ptr<const ns3::Packet> Peek() const override;

  // Packets that have been let go at this very instant and still count for an arrival, until set anew.
  void SetLeaving(std::uint32_t packets) { m_leaving = packets; }

 private:
  ns3::TracedValue<std::uint32_t> m_present{0};
  std::uint32_t m_leaving = 0;
};

}  // namespace tcp_atlas
