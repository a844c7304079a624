// SPDX-License-Identifier: GPL-2.0-only
#include "packet_tahoe.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketTahoe);

ns3::TypeId PacketTahoe::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketTahoe").SetParent<PacketTcpSender>().AddConstructor<PacketTahoe>();
  return id;
}

void PacketTahoe::NewAck(std::uint32_t /*acked*/) {
  Grow(GetWindow() < GetThreshold());
  SendWindow();
}

void PacketTahoe::DuplicateAck(std::uint32_t count) {
  // Going back sends packets again that have arrived; the duplicates that these cause are no loss (Floyd
  // 1994).
  if (count != 3 || (m_recover > 0 && GetUna() <= m_recover + 1)) {
    return;
  }
  Shrink();
  SetNext(GetUna() + 1);
  Retransmit();
}

void PacketTahoe::Shrink() {
  SetThreshold(std::max(GetWindow() / 2, 2U));
  SetWindow(1);
  m_recover = GetHighestSent();
}

}  // namespace tcp_atlas
