// SPDX-License-Identifier: GPL-2.0-only
#include "packet_newreno_sack.hpp"

#include <algorithm>

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketNewRenoSack);

ns3::TypeId PacketNewRenoSack::GetTypeId() {
  static const ns3::TypeId id = ns3::TypeId("tcp_atlas::PacketNewRenoSack")
                                    .SetParent<PacketSackSender>()
                                    .AddConstructor<PacketNewRenoSack>();
  return id;
}

void PacketNewRenoSack::DoStart() {
  SetRecovery(RFC_6675);
  SetWindow(GetInitialWindow());
  m_ssthresh = GetInitialThreshold();
  m_lastTimedOut = 0;
}

void PacketNewRenoSack::ReduceTo(std::uint32_t packets) {
  m_ssthresh = packets;
  SetWindow(packets);
}

void PacketNewRenoSack::Timeout() {
  if (GetUna() != m_lastTimedOut) {
    m_lastTimedOut = GetUna();
    m_ssthresh = HalvedFlight();
  }
  SetWindow(1);
}

// Half of what is outstanding, and at least 2 (RFC 5681, equation 4); new packets that went out on the first
// duplicates do not count (RFC 6675, section 5, step 4.2).
std::uint32_t PacketNewRenoSack::HalvedFlight() const {
  return std::max(std::min(GetNext() - GetUna(), GetWindow()) / 2, 2U);
}

}  // namespace tcp_atlas
