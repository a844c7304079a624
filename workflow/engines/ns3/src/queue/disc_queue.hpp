// SPDX-License-Identifier: GPL-2.0-only
// A device's queue that leaves it to a queue disc what is kept, and which packet is next.
#pragma once

#include <cstdint>

#include "ns3/callback.h"
#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"

namespace tcp_atlas {

// A traffic control layer hands a disc's packets to a FIFO of the device's; here there is none between them,
// so that the disc chooses at the last moment.
class DiscQueue : public ns3::Queue<ns3::Packet> {
 public:
  // The flow of a packet as the device queues it, with the device's header in front.
  using FlowOf = ns3::Callback<std::uint32_t, ns3::Ptr<const ns3::Packet>>;

  static ns3::TypeId GetTypeId();

  // The disc is told of flows by QueueDiscItem::Hash, and disposed of with this queue.
  void SetDisc(ns3::Ptr<ns3::QueueDisc> disc, FlowOf flowOf);

  bool Enqueue(ns3::Ptr<ns3::Packet> packet) override;
  ns3::Ptr<ns3::Packet> Dequeue() override;
  ns3::Ptr<ns3::Packet> Remove() override { return Dequeue(); }
  ns3::Ptr<const ns3::Packet> Peek() const override;

 private:
  void DoDispose() override;

  ns3::Ptr<ns3::QueueDisc> m_disc;
  FlowOf m_flowOf;
};

}  // namespace tcp_atlas
