// SPDX-License-Identifier: GPL-2.0-only
#include "packet_newreno.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketNewReno);

ns3::TypeId PacketNewReno::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketNewReno").SetParent<PacketSender>().AddConstructor<PacketNewReno>();
  return id;
}

void PacketNewReno::NewAck(std::uint32_t acked) {
  if (!InRecovery()) {
    Grow(GetWindow() <= GetThreshold());
  } else if (GetUna() > GetRecover()) {
    // All that was outstanding has come: recovery has succeeded, and this acknowledgement already counts: S
    // + 1.
    EndRecovery();
    SetWindow(GetThreshold());
    Grow(GetWindow() <= GetThreshold());
  } else {
    // A partial acknowledgement: the next hole is lost too. The window deflates by what has left the network,
    // less the packet that goes in again.
    SetWindow(std::max(GetWindow() + 1, acked + 1) - acked);
    Retransmit();
  }
}

void PacketNewReno::Loss() {
  BeginRecovery();
  SetRecover(GetHighestSent());
  SetThreshold(HalvedFlight());
  SetNext(GetHighestSent() + 1);  // a timeout may have taken it back
  SetWindow(GetThreshold() + 3);
}

void PacketNewReno::Timeout() {
  if (GetUna() != m_lastTimedOut) {
    m_lastTimedOut = GetUna();
    SetRecover(GetHighestSent());
    SetThreshold(HalvedFlight());
  } else {
    SetRecover(0);  // with the paper, once the same packet has timed out twice
  }
  SetWindow(1);
}

}  // namespace tcp_atlas
