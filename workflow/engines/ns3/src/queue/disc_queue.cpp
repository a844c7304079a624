// SPDX-License-Identifier: GPL-2.0-only
#include "disc_queue.hpp"

namespace tcp_atlas {
namespace {

class FlowItem : public ns3::QueueDiscItem {
 public:
  FlowItem(ns3::Ptr<ns3::Packet> packet, std::uint32_t flow)
      : QueueDiscItem(packet, ns3::Address(), 0), m_flow(flow) {}
  void AddHeader() override {}  // the device has put its own on already
  bool Mark() override { return false; }
  std::uint32_t Hash(std::uint32_t /*perturbation*/) const override { return m_flow; }

 private:
  std::uint32_t m_flow;
};

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(DiscQueue);

ns3::TypeId DiscQueue::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::DiscQueue").SetParent<ns3::Queue<ns3::Packet>>().AddConstructor<DiscQueue>();
  return id;
}

void DiscQueue::SetDisc(ns3::Ptr<ns3::QueueDisc> disc, FlowOf flowOf) {
  m_disc = disc;
  m_flowOf = flowOf;
  m_disc->Initialize();
}

bool DiscQueue::Enqueue(ns3::Ptr<ns3::Packet> packet) {
  return m_disc->Enqueue(ns3::Create<FlowItem>(packet, m_flowOf(packet)));
}

ns3::Ptr<ns3::Packet> DiscQueue::Dequeue() {
  const auto item = m_disc->Dequeue();
  return item == nullptr ? nullptr : item->GetPacket();
}

ns3::Ptr<const ns3::Packet> DiscQueue::Peek() const {
  const auto item = m_disc->Peek();
  return item == nullptr ? nullptr : item->GetPacket();
}

void DiscQueue::DoDispose() {
  m_disc->Dispose();
  m_disc = nullptr;
  m_flowOf = FlowOf();
  Queue::DoDispose();
}

}  // namespace tcp_atlas
