// SPDX-License-Identifier: GPL-2.0-only
#include "inclusive_drop_tail_queue.hpp"

#include "ns3/trace-source-accessor.h"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(InclusiveDropTailQueue);

ns3::TypeId InclusiveDropTailQueue::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::InclusiveDropTailQueue")
          .SetParent<ns3::Queue<ns3::Packet>>()
          .AddConstructor<InclusiveDropTailQueue>()
          .AddAttribute("MaxSize", "Packets, the one in service included",
                        ns3::QueueSizeValue(ns3::QueueSize("100p")),
                        ns3::MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                        ns3::MakeQueueSizeChecker())
          .AddTraceSource("Present", "Packets waiting and in service",
                          ns3::MakeTraceSourceAccessor(&InclusiveDropTailQueue::m_present),
                          "ns3::TracedValueCallback::Uint32");
  return id;
}

bool InclusiveDropTailQueue::Enqueue(ns3::Ptr<ns3::Packet> packet) {
  if (m_present + m_leaving >= GetMaxSize().GetValue()) {
    DropBeforeEnqueue(packet);
    return false;
  }
  ++m_present;
  return DoEnqueue(GetContainer().end(), packet);
}

ns3::Ptr<ns3::Packet> InclusiveDropTailQueue::Dequeue() {
  if (m_present > GetNPackets()) {  // the one before it has left
    --m_present;
  }
  return DoDequeue(GetContainer().begin());
}

ns3::Ptr<ns3::Packet> InclusiveDropTailQueue::Remove() {
  const auto packet = DoRemove(GetContainer().begin());
  if (packet != nullptr) {
    --m_present;
  }
  return packet;
}

ns3::Ptr<const ns3::Packet> InclusiveDropTailQueue::Peek() const { return DoPeek(GetContainer().begin()); }

}  // namespace tcp_atlas
