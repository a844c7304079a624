// SPDX-License-Identifier: GPL-2.0-only
#include "retransmission_timer.hpp"

#include <algorithm>

#include "ns3/simulator.h"

namespace tcp_atlas {

void RetransmissionTimer::Reset(const Limits& limits) {
  m_limits = limits;
  m_timedPacket = 0;
  m_sampled = false;
  m_rto = std::max(limits.initialRto, limits.minRto);
  Stop();
}

void RetransmissionTimer::TimePacket(std::uint32_t number) {
  if (m_timedPacket == 0) {
    m_timedPacket = number;
    m_timedAt = ns3::Simulator::Now();
  }
}

ns3::Time RetransmissionTimer::Acknowledged(std::uint32_t missing) {
  if (m_timedPacket == 0 || missing <= m_timedPacket) {
    return ns3::Time();
  }
  m_timedPacket = 0;
  const ns3::Time sample = ns3::Simulator::Now() - m_timedAt;
  const ns3::Time seen = Seen(sample);
  if (m_sampled) {
    m_rttvar += (Abs(m_srtt - seen) - m_rttvar) / 4;
    m_srtt += (seen - m_srtt) / 8;
  } else {
    m_sampled = true;
    m_srtt = seen;
    m_rttvar = seen / 2;
  }
  m_rto = std::clamp(m_srtt + 4 * m_rttvar, m_limits.minRto, m_limits.maxRto);
  return sample;
}

void RetransmissionTimer::Restart() {
  m_deadline = Deadline();
  // A deadline that only moves back, the common case, costs nothing: the pending event will find that it is
  // too early.
  if (m_event.IsRunning() && m_event.GetTs() <= static_cast<std::uint64_t>(m_deadline.GetTimeStep())) {
    return;
  }
  m_event.Cancel();
  m_event =
      ns3::Simulator::Schedule(m_deadline - ns3::Simulator::Now(), &RetransmissionTimer::EventCame, this);
}

void RetransmissionTimer::Stop() { m_deadline = ns3::Time::Max(); }

void RetransmissionTimer::BackOff() { m_rto = std::min(2 * m_rto, m_limits.maxRto); }

ns3::Time RetransmissionTimer::Seen(ns3::Time sample) const {
  return m_limits.clockTick.IsZero()
             ? sample
             : (Ticks(m_timedAt + sample) - Ticks(m_timedAt) + 1) * m_limits.clockTick;
}

ns3::Time RetransmissionTimer::Deadline() const {
  const ns3::Time now = ns3::Simulator::Now();
  if (m_limits.clockTick.IsZero()) {
    return now + m_rto;
  }
  const bool whole = Ticks(m_rto) * m_limits.clockTick == m_rto;
  return (Ticks(now) + Ticks(m_rto) + (whole ? 0 : 1)) * m_limits.clockTick;
}

void RetransmissionTimer::EventCame() {
  if (m_deadline == ns3::Time::Max()) {
    return;
  }
  if (const ns3::Time left = m_deadline - ns3::Simulator::Now(); left.IsStrictlyPositive()) {
    m_event = ns3::Simulator::Schedule(left, &RetransmissionTimer::EventCame, this);
    return;
  }
  Stop();
  m_expired();
}

}  // namespace tcp_atlas
