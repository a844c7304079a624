// SPDX-License-Identifier: GPL-2.0-only
#include "packet_tcp_sender.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketTcpSender);

ns3::TypeId PacketTcpSender::GetTypeId() {
  static const ns3::TypeId id = ns3::TypeId("tcp_atlas::PacketTcpSender").SetParent<PacketSender>();
  return id;
}

void PacketTcpSender::Begin() {
  m_highestSent = m_duplicates = m_recover = 0;
  m_recovering = false;
  SetWindow(GetInitialWindow());
  m_ssthresh = GetInitialThreshold();
  DoStart();
  SendWindow();
}

void PacketTcpSender::Acknowledged(const Acknowledgement& acknowledgement) {
  const std::uint32_t una = GetUna();
  if (acknowledgement.missing > una) {
    m_duplicates = 0;
    MoveUna(acknowledgement.missing);
    NewAck(GetUna() - una);
    SendWindow();
  } else if (GetNext() > una) {
    ++m_duplicates;
    if (m_recovering) {
      SetWindow(GetWindow() + 1);
      SendWindow();
    } else if (m_duplicates == 3 && (m_recover == 0 || una > m_recover + 1)) {
      Loss();
      Retransmit();
    }
  }
}

void PacketTcpSender::SendWindow() {
  const std::uint32_t end = std::min(GetUna() + GetWindow(), GetFilePackets() + 1);
  const bool sends = GetNext() < end;
  for (std::uint32_t next = GetNext(); next < end; ++next) {
    SetNext(next + 1);
    if (next > m_highestSent) {
      m_highestSent = next;
      if (!InRecovery()) {
        GetTimer().TimePacket(next);
      }
    }
    Send(next, 0);
  }
  // The timer is set on packets sent, "on the first of the group" (Zaragoza 2014, 3.1), not by
  // acknowledgements.
  if (sends && !InRecovery()) {
    GetTimer().Restart();
  }
}

void PacketTcpSender::Retransmit() {
  GetTimer().StopTiming();
  Send(GetUna(), 0);
  GetTimer().Restart();
}

std::uint32_t PacketTcpSender::HalvedFlight() const { return std::max((GetNext() - GetUna()) / 2, 2U); }

void PacketTcpSender::TimerExpired() {
  m_recovering = false;
  Timeout();
  GetTimer().BackOff();
  GetTimer().StopTiming();
  m_duplicates = 0;
  SetNext(GetUna());
  SendWindow();
}

}  // namespace tcp_atlas
