// SPDX-License-Identifier: GPL-2.0-only
#include "packet_sack_sender.hpp"

#include <algorithm>

#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace tcp_atlas {

namespace {
constexpr std::uint32_t kDuplicatesOfALoss = 3;
constexpr std::uint32_t kBurst = 3;  // packets that may go out at once when a recovery has halved the rate
}  // namespace

NS_OBJECT_ENSURE_REGISTERED(PacketSackSender);

ns3::TypeId PacketSackSender::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketSackSender")
          .SetParent<PacketSender>()
          .AddAttribute(
              "Recovery", "After a loss: silence, a packet for every second that arrives, or by RFC 6675",
              ns3::EnumValue(PAUSE), ns3::MakeEnumAccessor(&PacketSackSender::m_recovery),
              ns3::MakeEnumChecker(PAUSE, "Pause", RATE_HALVING, "RateHalving", RFC_6675, "Rfc6675"))
          .AddTraceSource("Cut", "An acknowledgement or a timeout has cut the window: before, after",
                          ns3::MakeTraceSourceAccessor(&PacketSackSender::m_cutTrace),
                          "ns3::TracedValueCallback::Uint32");
  return id;
}

void PacketSackSender::Begin() {
  m_recovering = false;
  m_transmissions = m_recover = 0;
  ForgetPath();
  m_beyond.clear();
  DoStart();
  GetTimer().Restart();
  SendWindow();
}

void PacketSackSender::Resume() {
  GetTimer().Restart();
  SendWindow();
}

void PacketSackSender::Acknowledged(const Acknowledgement& acknowledgement) {
  const std::uint32_t una = GetUna();
  const std::uint32_t window = GetWindow();
  bool cut = false;
  const ns3::Time roundTrip = TakeOffThePath(acknowledgement);
  MarkArrived(acknowledgement.packet);
  FindLosses();
  if (GetUna() > una && m_recovering && GetUna() > m_recover) {
    m_recovering = false;
    if (m_recovery == RATE_HALVING && window > m_inFlight + kBurst) {
      ShrinkTo(m_inFlight + kBurst);
      cut = true;
    }
    Recovered();
  } else if (GetUna() > una && !m_recovering) {
    if (!roundTrip.IsZero()) {
      Sample(roundTrip);
    }
    NewAck();
  }
  if (!m_lost.empty() && !m_recovering && GetUna() > m_recover) {
    BeginRecovery();
    Loss();
    cut = true;
    if (m_recovery == RFC_6675) {
      RetransmitFirstLost();
    }
  }
  if (cut) {
    m_cutTrace(window, GetWindow());
  }
  if (IsDone()) {
    ForgetPath();
  } else {
    GetTimer().Restart();
    SendWindow();
  }
}

// Nothing that is under way is waited for any more.
void PacketSackSender::ForgetPath() {
  m_onPath.clear();
  m_firstOnPath = m_transmissions;
  m_missing.clear();
  m_lost.clear();
  m_inFlight = 0;
}

// With delayed acknowledgements one answers for packets before it too.
ns3::Time PacketSackSender::TakeOffThePath(const Acknowledgement& acknowledgement) {
  const std::uint32_t transmission = acknowledgement.transmission;
  if (transmission < m_firstOnPath) {
    return ns3::Time();  // given up by a timeout
  }
  for (Missing& missing : m_missing) {
    ++missing.arrivals;
  }
  for (; m_firstOnPath < transmission; ++m_firstOnPath) {
    if (const std::uint32_t packet = m_onPath.front().packet; packet < acknowledgement.missing) {
      MarkArrived(packet);
      --m_inFlight;
    } else {
      m_missing.push_back({packet, 1});
    }
    m_onPath.pop_front();
  }
  const Transmission arrived = m_onPath.front();
  m_onPath.pop_front();
  ++m_firstOnPath;
  --m_inFlight;
  return arrived.again ? ns3::Time() : ns3::Simulator::Now() - arrived.sent;
}

void PacketSackSender::MarkArrived(std::uint32_t packet) {
  if (packet < GetUna()) {
    return;
  }
  m_beyond.insert(packet);
  std::uint32_t una = GetUna();
  while (!m_beyond.empty() && *m_beyond.begin() == una) {
    m_beyond.erase(m_beyond.begin());
    ++una;
  }
  if (una > GetUna()) {
    MoveUna(una);
  }
}

void PacketSackSender::FindLosses() {
  for (; !m_missing.empty() && m_missing.front().arrivals >= kDuplicatesOfALoss; m_missing.pop_front()) {
    m_lost.push_back(m_missing.front().packet);
    --m_inFlight;
  }
}

void PacketSackSender::BeginRecovery() {
  m_recovering = true;
  m_recover = GetNext() - 1;
  m_due = GetWindow();
  GetTimer().StopTiming();
}

// All that has not arrived counts as lost.
void PacketSackSender::TimerExpired() {
  const std::uint32_t window = GetWindow();
  GetTimer().BackOff();
  BeginRecovery();
  m_recovering = m_recovery != RFC_6675;
  Timeout();
  m_cutTrace(window, GetWindow());
  ForgetPath();
  for (std::uint32_t packet = GetUna(); packet < GetNext(); ++packet) {
    if (!m_beyond.contains(packet)) {
      m_lost.push_back(packet);
    }
  }
  GetTimer().Restart();
  SendWindow();
}

bool PacketSackSender::HasRoom() const {
  const std::uint32_t window = std::min(GetWindow(), GetReceiverWindow());
  return m_recovery == RATE_HALVING && m_recovering ? m_inFlight < m_due || 2 * m_inFlight < window
                                                    : m_inFlight < window;
}

void PacketSackSender::SendWindow() {
  const std::uint32_t end = std::min(GetUna() + GetReceiverWindow(), GetFilePackets() + 1);
  while (HasRoom()) {
    if (!m_lost.empty()) {
      RetransmitFirstLost();
    } else if (const std::uint32_t next = GetNext(); next < end) {
      SetNext(next + 1);
      if (!m_recovering) {
        GetTimer().TimePacket(next);
      }
      Transmit(next, false);
    } else {
      return;
    }
  }
}

void PacketSackSender::RetransmitFirstLost() {
  const std::uint32_t packet = m_lost.front();
  m_lost.pop_front();
  Transmit(packet, true);
}

void PacketSackSender::Transmit(std::uint32_t packet, bool again) {
  m_onPath.push_back({packet, ns3::Simulator::Now(), again});
  m_due = m_inFlight++;
  Send(packet, m_transmissions++);
}

}  // namespace tcp_atlas
