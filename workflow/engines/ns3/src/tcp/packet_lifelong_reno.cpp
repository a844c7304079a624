// SPDX-License-Identifier: GPL-2.0-only
#include "packet_lifelong_reno.hpp"

#include <algorithm>

#include "ns3/boolean.h"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketLifelongReno);

ns3::TypeId PacketLifelongReno::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketLifelongReno")
          .SetParent<PacketSender>()
          .AddConstructor<PacketLifelongReno>()
          .AddAttribute("OncePerWindow",
                        "No second halving for packets that were sent before the first: they wait for the "
                        "timer (ns-2: bug_fix_)",
                        ns3::BooleanValue(true),
                        ns3::MakeBooleanAccessor(&PacketLifelongReno::m_oncePerWindow),
                        ns3::MakeBooleanChecker());
  return id;
}

void PacketLifelongReno::NewAck(std::uint32_t /*acked*/) {
  EndRecovery();
  m_window = std::min<double>(m_window + (m_window < GetThreshold() ? 1 : 1 / m_window), GetReceiverWindow());
  SetWindow(static_cast<std::uint32_t>(m_window));
  if (!IsDone()) {
    GetTimer().Restart();
  }
}

void PacketLifelongReno::Loss() {
  BeginRecovery();
  if (m_oncePerWindow) {
    SetRecover(GetHighestSent());
  }
  const std::uint32_t half = std::max(HalvedWindow(), 1U);
  m_window = half;
  SetThreshold(std::max(half, 2U));
  SetWindow(half + 3);
}

void PacketLifelongReno::Timeout() {
  SetRecover(GetHighestSent());
  SetThreshold(std::max(HalvedWindow(), 2U));
  m_window = 1;
  SetWindow(1);
}

}  // namespace tcp_atlas
