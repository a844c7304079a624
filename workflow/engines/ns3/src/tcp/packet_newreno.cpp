// SPDX-License-Identifier: GPL-2.0-only
#include "packet_newreno.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketNewReno);

ns3::TypeId PacketNewReno::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketNewReno").SetParent<PacketTcpSender>().AddConstructor<PacketNewReno>();
  return id;
}

void PacketNewReno::DoStart() {
  m_recovering = false;
  m_recover = m_lastTimedOut = 0;
}

void PacketNewReno::NewAck(std::uint32_t acked) {
  if (!m_recovering) {
    Grow(GetWindow() <= GetThreshold());
  } else if (GetUna() > m_recover) {
    // All that was outstanding has come: recovery has succeeded, and this acknowledgement already counts: S
    // + 1.
    m_recovering = false;
    SetWindow(GetThreshold());
    Grow(GetWindow() <= GetThreshold());
  } else {
    // A partial acknowledgement: the next hole is lost too. The window deflates by what has left the network,
    // less the packet that goes in again.
    SetWindow(std::max(GetWindow() + 1, acked + 1) - acked);
    Retransmit();
  }
  SendWindow();
}

void PacketNewReno::DuplicateAck(std::uint32_t count) {
  if (m_recovering) {
    SetWindow(GetWindow() + 1);
    SendWindow();
    return;
  }
  // RFC 6582, 3.2: after a timeout, duplicates of what was sent before it start no recovery. With the paper,
  // none is kept from it once the same packet has timed out twice.
  if (count != 3 || (m_recover > 0 && GetUna() <= m_recover + 1)) {
    return;
  }
  m_recovering = true;
  m_recover = GetHighestSent();
  SetThreshold(HalvedFlight());
  SetNext(GetHighestSent() + 1);  // a timeout may have taken it back
  SetWindow(GetThreshold() + 3);
  Retransmit();
}

void PacketNewReno::Timeout() {
  m_recovering = false;
  if (GetUna() != m_lastTimedOut) {
    m_lastTimedOut = GetUna();
    m_recover = GetHighestSent();
    SetThreshold(HalvedFlight());
  } else {
    m_recover = 0;
  }
  SetWindow(1);
}

}  // namespace tcp_atlas
