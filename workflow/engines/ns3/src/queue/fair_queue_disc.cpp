// SPDX-License-Identifier: GPL-2.0-only
#include "fair_queue_disc.hpp"

#include <deque>

#include "ns3/boolean.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

namespace tcp_atlas {

NS_LOG_COMPONENT_DEFINE("FairQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(FairQueueDisc);

ns3::TypeId FairQueueDisc::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::FairQueueDisc")
          .SetParent<ns3::QueueDisc>()
          .AddConstructor<FairQueueDisc>()
          .AddAttribute("MaxSize", "Packets: of each flow's buffer, or of the shared one",
                        ns3::QueueSizeValue(ns3::QueueSize("100p")),
                        ns3::MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                        ns3::MakeQueueSizeChecker())
          .AddAttribute("Shared", "Whether all flows share one buffer", ns3::BooleanValue(false),
                        ns3::MakeBooleanAccessor(&FairQueueDisc::m_shared), ns3::MakeBooleanChecker())
          .AddTraceSource("Present", "Packets waiting and in service",
                          ns3::MakeTraceSourceAccessor(&FairQueueDisc::m_present),
                          "ns3::TracedValueCallback::Uint32");
  return id;
}

bool FairQueueDisc::DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) {
  const Flow flow = item->Hash(0);
  const auto queue = QueueOf(flow);
  const std::uint32_t limit = GetMaxSize().GetValue();
  if (!m_shared && queue->GetNPackets() + (m_inService == flow ? 1 : 0) >= limit) {
    DropBeforeEnqueue(item, kOwnBufferFull);
    return false;
  }
  if (queue->IsEmpty()) {
    m_turns.push_back(flow);
  }
  queue->Enqueue(item);
  if (m_shared && CountPresent() > limit) {
    DropFromLongest(flow);
  }
  m_present = CountPresent();
  return true;
}

ns3::Ptr<ns3::QueueDiscItem> FairQueueDisc::DoDequeue() {
  if (m_turns.empty()) {
    m_inService.reset();
    m_present = 0;
    return nullptr;
  }
  const Flow flow = m_turns.front();
  m_turns.pop_front();
  const auto queue = QueueOf(flow);
  const auto item = queue->Dequeue();
  if (!queue->IsEmpty()) {
    m_turns.push_back(flow);
  }
  m_inService = flow;
  m_present = CountPresent();
  return item;
}

ns3::Ptr<const ns3::QueueDiscItem> FairQueueDisc::DoPeek() {
  return m_turns.empty() ? nullptr : QueueOf(m_turns.front())->Peek();
}

bool FairQueueDisc::CheckConfig() {
  if (GetNQueueDiscClasses() > 0 || GetNInternalQueues() > 0 || GetNPacketFilters() > 0) {
    NS_LOG_ERROR(
        "FairQueueDisc makes its own queues: it takes no classes, internal queues or packet filters");
    return false;
  }
  return true;
}

ns3::Ptr<ns3::QueueDisc::InternalQueue> FairQueueDisc::QueueOf(Flow flow) {
  auto& queue = m_queues[flow];
  if (queue == nullptr) {
    // The limits are kept here; no queue may have one of its own.
    queue = ns3::CreateObject<ns3::DropTailQueue<ns3::QueueDiscItem>>();
    queue->SetMaxSize(ns3::QueueSize(ns3::PACKETS, UINT32_MAX));
    AddInternalQueue(queue);
  }
  return queue;
}

void FairQueueDisc::DropFromLongest(Flow arriving) {
  Flow longest = arriving;
  for (const auto& [flow, queue] : m_queues) {
    if (queue->GetNPackets() > QueueOf(longest)->GetNPackets()) {
      longest = flow;
    }
  }
  DropAfterDequeue(QueueOf(longest)->Dequeue(), kSharedBufferFull);
  if (QueueOf(longest)->IsEmpty()) {
    std::erase(m_turns, longest);
  }
}

}  // namespace tcp_atlas
