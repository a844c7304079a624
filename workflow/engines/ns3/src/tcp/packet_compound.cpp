// SPDX-License-Identifier: GPL-2.0-only
#include "packet_compound.hpp"

#include <algorithm>

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketCompound);

ns3::TypeId PacketCompound::GetTypeId() {
  const auto not_negative = [] { return ns3::MakeDoubleChecker<double>(0); };
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketCompound")
          .SetParent<PacketSackSender>()
          .AddConstructor<PacketCompound>()
          .AddAttribute("Arithmetic", "The draft's floating point, or the integers of the Linux module",
                        ns3::EnumValue(FLOAT), ns3::MakeEnumAccessor(&PacketCompound::m_arithmetic),
                        ns3::MakeEnumChecker(FLOAT, "Float", LINUX, "Linux"))
          .AddAttribute("Alpha", "The window grows by Alpha w^K a round trip", ns3::DoubleValue(0.125),
                        ns3::MakeDoubleAccessor(&PacketCompound::m_alpha), not_negative())
          .AddAttribute("K", "See Alpha", ns3::DoubleValue(0.75),
                        ns3::MakeDoubleAccessor(&PacketCompound::m_k), not_negative())
          .AddAttribute("Beta", "A loss takes this share of the window", ns3::DoubleValue(0.5),
                        ns3::MakeDoubleAccessor(&PacketCompound::m_beta), not_negative())
          .AddAttribute("Zeta", "The delay window falls by Zeta times the backlog", ns3::DoubleValue(1),
                        ns3::MakeDoubleAccessor(&PacketCompound::m_zeta), not_negative())
          .AddAttribute("Gamma", "Packets of backlog from which on the delay window falls",
                        ns3::DoubleValue(30), ns3::MakeDoubleAccessor(&PacketCompound::m_gamma),
                        not_negative())
          .AddAttribute("Damping", "Growth and cuts are so many times smaller while there is a backlog",
                        ns3::UintegerValue(1), ns3::MakeUintegerAccessor(&PacketCompound::m_damping),
                        ns3::MakeUintegerChecker<std::uint32_t>(1))
          .AddTraceSource("RoundTripEnded", "What was seen and done at the end of a round trip",
                          ns3::MakeTraceSourceAccessor(&PacketCompound::m_roundTripEndedTrace),
                          "tcp_atlas::PacketCompound::RoundTripEndedCallback");
  return id;
}

std::uint32_t PacketCompound::GetWindow() const { return std::max(m_windows->GetWindow(), 1U); }

void PacketCompound::DoStart() {
  const CompoundConstants constants{m_alpha, m_k, m_beta, m_zeta, m_damping};
  if (m_arithmetic == FLOAT) {
    m_windows = std::make_unique<CompoundFloatWindows>(constants);
  } else {
    m_windows = std::make_unique<CompoundLinuxWindows>(constants);
  }
  m_windows->Set(GetInitialWindow());
  m_ssthresh = GetInitialThreshold();
  m_base = ns3::Time::Max();
  BeginRoundTrip();
}

void PacketCompound::Sample(ns3::Time roundTrip) {
  m_base = std::min(m_base, roundTrip);
  m_shortest = std::min(m_shortest, roundTrip);
}

void PacketCompound::NewAck() {
  const bool slowStart = GetWindow() < m_ssthresh;
  if (slowStart) {
    m_windows->SlowStartAck();
  } else {
    m_windows->Ack();
  }
  if (GetUna() <= m_roundTripNext) {
    return;
  }
  if (!slowStart && m_shortest != ns3::Time::Max()) {
    EndRoundTrip();
  }
  m_roundTripUna = m_roundTripNext;
  m_roundTripNext = GetNext();
  m_shortest = ns3::Time::Max();
}

void PacketCompound::EndRoundTrip() {
  const std::uint32_t sent = m_roundTripNext - m_roundTripUna;
  const double backlog = m_windows->Backlog(sent, m_base.GetSeconds(), m_shortest.GetSeconds());
  const std::uint32_t window = GetWindow();
  const bool cut = backlog >= m_gamma;
  if (cut) {
    m_windows->Cut(backlog);
  } else {
    m_windows->Grow(sent, backlog);
  }
  m_roundTripEndedTrace({window, m_windows->GetDelayWindow(), backlog, cut});
}

void PacketCompound::Loss() {
  m_windows->Loss();
  m_ssthresh = std::max(GetWindow(), 2U);
}

void PacketCompound::Timeout() {
  Loss();
  m_windows->Set(1);
  BeginRoundTrip();
}

// What was measured before is stale.
void PacketCompound::BeginRoundTrip() {
  m_roundTripUna = GetUna();
  m_roundTripNext = GetNext();
  m_shortest = ns3::Time::Max();
}

}  // namespace tcp_atlas
