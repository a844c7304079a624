// SPDX-License-Identifier: GPL-2.0-only
#include "packet_reno.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketReno);

ns3::TypeId PacketReno::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketReno").SetParent<PacketTcpSender>().AddConstructor<PacketReno>();
  return id;
}

void PacketReno::DoStart() {
  m_recovering = false;
  m_sentAtTimeout = 0;
}

void PacketReno::NewAck(std::uint32_t /*acked*/) {
  if (m_recovering) {
    m_recovering = false;
    SetWindow(GetThreshold());
  } else {
    Grow(GetWindow() < GetThreshold());
  }
  SendWindow();
}

void PacketReno::DuplicateAck(std::uint32_t count) {
  if (m_recovering) {
    SetWindow(GetWindow() + 1);
    SendWindow();
    return;
  }
  // A timeout sends packets again that have arrived; the duplicates that these cause are no loss (Floyd
  // 1994).
  if (count != 3 || (m_sentAtTimeout > 0 && GetUna() <= m_sentAtTimeout + 1)) {
    return;
  }
  m_recovering = true;
  Halve();
  SetWindow(GetThreshold() + 3);
  Retransmit();
}

void PacketReno::Timeout() {
  m_recovering = false;
  m_sentAtTimeout = GetHighestSent();
  Halve();
  SetWindow(1);
}

void PacketReno::Halve() { SetThreshold(std::max(GetWindow() / 2, 2U)); }

}  // namespace tcp_atlas
