// SPDX-License-Identifier: GPL-2.0-only
#include "packet_tahoe.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketTahoe);

ns3::TypeId PacketTahoe::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketTahoe").SetParent<PacketSender>().AddConstructor<PacketTahoe>();
  return id;
}

void PacketTahoe::Loss() {
  Shrink();
  SetNext(GetUna() + 1);
}

void PacketTahoe::Shrink() {
  SetThreshold(std::max(GetWindow() / 2, 2U));
  SetWindow(1);
  SetRecover(GetHighestSent());
}

}  // namespace tcp_atlas
