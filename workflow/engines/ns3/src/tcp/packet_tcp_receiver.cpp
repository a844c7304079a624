// SPDX-License-Identifier: GPL-2.0-only
#include "packet_tcp_receiver.hpp"

#include "segment_header.hpp"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketTcpReceiver);

ns3::TypeId PacketTcpReceiver::GetTypeId() {
  static const ns3::TypeId id = ns3::TypeId("tcp_atlas::PacketTcpReceiver")
                                    .SetParent<ns3::Object>()
                                    .AddConstructor<PacketTcpReceiver>();
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
  }
  const bool isNew = header.GetNumber() >= m_expected && m_beyond.insert(header.GetNumber()).second;
  if (isNew) {
    while (!m_beyond.empty() && *m_beyond.begin() == m_expected) {
      m_beyond.erase(m_beyond.begin());
      ++m_expected;
    }
  }
  const auto acknowledgement = ns3::Create<ns3::Packet>();
  acknowledgement->AddHeader(SegmentHeader(header.GetSource(), m_transfer, m_expected,
                                           header.GetTransmission(), header.GetNumber()));
  m_transmit(acknowledgement);
  return isNew;
}

}  // namespace tcp_atlas
