// SPDX-License-Identifier: GPL-2.0-only
#include "packet_reno.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketReno);

ns3::TypeId PacketReno::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketReno").SetParent<PacketSender>().AddConstructor<PacketReno>();
  return id;
}

void PacketReno::NewAck(std::uint32_t /*acked*/) {
  if (InRecovery()) {
    EndRecovery();
    SetWindow(GetThreshold());
  } else {
    Grow(GetWindow() < GetThreshold());
  }
}

void PacketReno::Loss() {
  BeginRecovery();
  Halve();
  SetWindow(GetThreshold() + 3);
}

void PacketReno::Timeout() {
  SetRecover(GetHighestSent());
  Halve();
  SetWindow(1);
}

void PacketReno::Halve() { SetThreshold(std::max(GetWindow() / 2, 2U)); }

}  // namespace tcp_atlas
