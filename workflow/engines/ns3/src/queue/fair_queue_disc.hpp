// SPDX-License-Identifier: GPL-2.0-only
// Per-flow fair queueing, with a buffer for each flow or one for all.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/traced-value.h"

namespace tcp_atlas {

// Serves the flows that have packets in turn, a packet each (Baccelli, Hong and Liu 2001, section 5.2); a
// flow that gets its first packet comes last. With packets of one size that is fair in bytes too.
//
// MaxSize counts the packet in service, as the papers count: from when it is taken out until the next is
// asked for. It is for a device that asks as soon as one has left, see DiscQueue.
//
// Individual buffers: a flow whose own buffer is full loses the packet that arrives. A shared buffer: when it
// is full, the longest queue loses its first packet (Suter, Lakshman, Stiliadis and Choudhury 1998). Queues
// are what waits, the arriving packet counted; of several longest ones it is that of the packet, or else the
// one of the lowest flow.
//
// Flows are told apart by the packet's own hash of addresses and ports.
class FairQueueDisc : public ns3::QueueDisc {
 public:
  static ns3::TypeId GetTypeId();
  FairQueueDisc() : QueueDisc(ns3::QueueDiscSizePolicy::MULTIPLE_QUEUES, ns3::QueueSizeUnit::PACKETS) {}

  static constexpr const char* kOwnBufferFull = "Buffer of the flow full";
  static constexpr const char* kSharedBufferFull = "Shared buffer full";

 private:
  using Flow = std::uint32_t;

  bool DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue() override;
  ns3::Ptr<const ns3::QueueDiscItem> DoPeek() override;
  bool CheckConfig() override;
  void InitializeParams() override {}

  ns3::Ptr<InternalQueue> QueueOf(Flow flow);
  void DropFromLongest(Flow arriving);
  std::uint32_t CountPresent() const { return GetNPackets() + (m_inService ? 1 : 0); }

  bool m_shared = false;
  std::map<Flow, ns3::Ptr<InternalQueue>> m_queues;
  std::deque<Flow> m_turns;         // of the flows that have packets
  std::optional<Flow> m_inService;  // whose packet was taken out last
  ns3::TracedValue<std::uint32_t> m_present{0};
};

}  // namespace tcp_atlas
