// SPDX-License-Identifier: GPL-2.0-only
#include "managed_queue.hpp"

#include "ns3/trace-source-accessor.h"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(ManagedQueue);

ns3::TypeId ManagedQueue::GetTypeId() {
  static const ns3::TypeId id = ns3::TypeId("tcp_atlas::ManagedQueue")
                                    .SetParent<DiscQueue>()
                                    .AddConstructor<ManagedQueue>()
                                    .AddTraceSource("Present", "Packets waiting and in service",
                                                    ns3::MakeTraceSourceAccessor(&ManagedQueue::m_present),
                                                    "ns3::TracedValueCallback::Uint32");
  return id;
}

void ManagedQueue::SetDisc(ns3::Ptr<ns3::QueueDisc> disc, FlowOf flowOf) {
  m_disc = disc;
  DiscQueue::SetDisc(disc, flowOf);
}

bool ManagedQueue::Enqueue(ns3::Ptr<ns3::Packet> packet) {
  const bool kept = DiscQueue::Enqueue(packet);
  Count();
  return kept;
}

ns3::Ptr<ns3::Packet> ManagedQueue::Dequeue() {
  const auto packet = DiscQueue::Dequeue();
  m_inService = packet == nullptr ? 0 : 1;
  Count();
  return packet;
}

void ManagedQueue::Count() { m_present = m_disc->GetNPackets() + m_inService; }

}  // namespace tcp_atlas
