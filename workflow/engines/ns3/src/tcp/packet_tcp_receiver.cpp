// SPDX-License-Identifier: GPL-2.0-only
#include "packet_tcp_receiver.hpp"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "segment_header.hpp"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketTcpReceiver);

ns3::TypeId PacketTcpReceiver::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketTcpReceiver")
          .SetParent<ns3::Object>()
          .AddConstructor<PacketTcpReceiver>()
          .AddAttribute("PacketsPerAck", "Packets that are acknowledged together", ns3::UintegerValue(1),
                        ns3::MakeUintegerAccessor(&PacketTcpReceiver::m_packetsPerAck),
                        ns3::MakeUintegerChecker<std::uint32_t>(1))
          .AddAttribute("AckDelay", "How long the first of them waits at most",
                        ns3::TimeValue(ns3::MilliSeconds(500)),
                        ns3::MakeTimeAccessor(&PacketTcpReceiver::m_ackDelay), ns3::MakeTimeChecker())
          .AddAttribute("QuickAcks", "Packets of a transfer that are acknowledged one by one",
                        ns3::UintegerValue(0), ns3::MakeUintegerAccessor(&PacketTcpReceiver::m_quickAcks),
                        ns3::MakeUintegerChecker<std::uint32_t>());
  return id;
}

bool PacketTcpReceiver::Receive(ns3::Ptr<ns3::Packet> packet) {
  SegmentHeader header;
  packet->PeekHeader(header);
  if (header.GetTransfer() < m_transfer) {
    return false;
  }
  if (header.GetTransfer() > m_transfer) {
    m_transfer = header.GetTransfer();
    m_expected = 1;
    m_beyond.clear();
    m_received = m_unanswered = 0;
    m_ackTimer.Cancel();
  }
  m_source = header.GetSource();
  ++m_received;
  const bool inOrder = header.GetNumber() == m_expected && m_beyond.empty();
  const bool isNew = header.GetNumber() >= m_expected && m_beyond.insert(header.GetNumber()).second;
  while (!m_beyond.empty() && *m_beyond.begin() == m_expected) {
    m_beyond.erase(m_beyond.begin());
    ++m_expected;
  }
  if (++m_unanswered >= m_packetsPerAck || !inOrder || m_received <= m_quickAcks) {
    Acknowledge();
  } else if (m_unanswered == 1) {
    m_ackTimer = ns3::Simulator::Schedule(m_ackDelay, &PacketTcpReceiver::Acknowledge, this);
  }
  return isNew;
}

void PacketTcpReceiver::Acknowledge() {
  m_ackTimer.Cancel();
  m_unanswered = 0;
  const auto acknowledgement = ns3::Create<ns3::Packet>();
  acknowledgement->AddHeader(SegmentHeader(m_source, m_transfer, m_expected));
  m_transmit(acknowledgement);
}

}  // namespace tcp_atlas
