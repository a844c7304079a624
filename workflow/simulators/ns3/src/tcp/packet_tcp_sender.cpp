// SPDX-License-Identifier: GPL-2.0-only
#include "packet_tcp_sender.hpp"

#include <algorithm>

#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "segment_header.hpp"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketTcpSender);

ns3::TypeId PacketTcpSender::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketTcpSender")
          .SetParent<ns3::Object>()
          .AddAttribute("Source", "What the packets name as their source", ns3::UintegerValue(0),
                        ns3::MakeUintegerAccessor(&PacketTcpSender::m_source),
                        ns3::MakeUintegerChecker<std::uint32_t>())
          .AddAttribute("ReceiverWindow", "Packets", ns3::UintegerValue(44),
                        ns3::MakeUintegerAccessor(&PacketTcpSender::m_receiverWindow),
                        ns3::MakeUintegerChecker<std::uint32_t>(1))
          .AddAttribute("InitialWindow", "Packets", ns3::UintegerValue(2),
                        ns3::MakeUintegerAccessor(&PacketTcpSender::m_initialWindow),
                        ns3::MakeUintegerChecker<std::uint32_t>(1))
          .AddAttribute("PacketSize", "Bytes, this TCP's header included", ns3::UintegerValue(1500),
                        ns3::MakeUintegerAccessor(&PacketTcpSender::m_packetBytes),
                        ns3::MakeUintegerChecker<std::uint32_t>(SegmentHeader::kBytes))
          .AddAttribute("MinRto", "Shortest retransmission timeout", ns3::TimeValue(ns3::Seconds(1)),
                        ns3::MakeTimeAccessor(&PacketTcpSender::m_minRto), ns3::MakeTimeChecker())
          .AddAttribute("MaxRto", "Longest retransmission timeout", ns3::TimeValue(ns3::Seconds(64)),
                        ns3::MakeTimeAccessor(&PacketTcpSender::m_maxRto), ns3::MakeTimeChecker())
          .AddTraceSource("Sent", "A packet is sent: its number",
                          ns3::MakeTraceSourceAccessor(&PacketTcpSender::m_sentTrace),
                          "ns3::TracedValueCallback::Uint32")
          .AddTraceSource("Acknowledgement", "One has come: the first packet that it misses",
                          ns3::MakeTraceSourceAccessor(&PacketTcpSender::m_ackTrace),
                          "ns3::TracedValueCallback::Uint32")
          .AddTraceSource("RoundTrip", "A round-trip sample",
                          ns3::MakeTraceSourceAccessor(&PacketTcpSender::m_roundTripTrace),
                          "ns3::TracedValueCallback::Time")
          .AddTraceSource("Timeout", "The timer has run out: the first unacknowledged packet",
                          ns3::MakeTraceSourceAccessor(&PacketTcpSender::m_timeoutTrace),
                          "ns3::TracedValueCallback::Uint32")
          .AddTraceSource("Completed", "The last packet is acknowledged: packets of the file",
                          ns3::MakeTraceSourceAccessor(&PacketTcpSender::m_completedTrace),
                          "ns3::TracedValueCallback::Uint32");
  return id;
}

void PacketTcpSender::DoDispose() {
  m_timer.Cancel();
  m_transmit = Transmit();
  Object::DoDispose();
}

void PacketTcpSender::StartTransfer(std::uint32_t packets) {
  ++m_transfer;
  m_filePackets = packets;
  m_una = m_next = 1;
  m_highestSent = m_duplicates = m_timedPacket = 0;
  m_sampled = false;
  m_rto = std::max(ns3::Seconds(1), m_minRto);  // RFC 6298, 2.1
  m_deadline = ns3::Time::Max();
  SetWindow(m_initialWindow);
  m_ssthresh = m_receiverWindow;  // as high as it can matter
  DoStart();
  SendWindow();
}

void PacketTcpSender::ReceiveAck(ns3::Ptr<ns3::Packet> acknowledgement) {
  SegmentHeader header;
  acknowledgement->PeekHeader(header);
  if (header.GetTransfer() != m_transfer || IsDone()) {
    return;
  }
  const std::uint32_t missing = header.GetNumber();
  m_ackTrace(missing);
  if (missing > m_una) {
    TakeSample(missing);
    const std::uint32_t acked = missing - m_una;
    m_una = missing;
    m_next = std::max(m_next, missing);
    m_duplicates = 0;
    if (IsDone()) {
      m_deadline = ns3::Time::Max();
      m_completedTrace(m_filePackets);
    } else {
      NewAck(acked);
    }
  } else if (m_next > m_una) {
    DuplicateAck(++m_duplicates);
  }
}

void PacketTcpSender::SendWindow() {
  const std::uint32_t end = std::min(m_una + m_cwnd, m_filePackets + 1);
  const bool sends = m_next < end;
  for (; m_next < end; ++m_next) {
    if (m_next > m_highestSent) {
      m_highestSent = m_next;
      if (m_timedPacket == 0 && !InRecovery()) {
        m_timedPacket = m_next;
        m_timedAt = ns3::Simulator::Now();
      }
    }
    Send(m_next);
  }
  // The timer is set on packets sent, "on the first of the group" (Zaragoza 2014, 3.1), not by
  // acknowledgements.
  if (sends && !InRecovery()) {
    RestartTimer();
  }
}

void PacketTcpSender::Retransmit() {
  m_timedPacket = 0;
  Send(m_una);
  RestartTimer();
}

void PacketTcpSender::Send(std::uint32_t number) {
  m_sentTrace(number);
  const auto packet = ns3::Create<ns3::Packet>(m_packetBytes - SegmentHeader::kBytes);
  packet->AddHeader(SegmentHeader(m_source, m_transfer, number));
  m_transmit(packet);
}

void PacketTcpSender::Grow(bool slowStart) {
  if (m_cwnd >= m_receiverWindow) {
    return;
  }
  if (slowStart) {
    ++m_cwnd;
  } else if (++m_growthAcks >= m_cwnd) {
    SetWindow(m_cwnd + 1);
  }
}

void PacketTcpSender::SetWindow(std::uint32_t cwnd) {
  m_cwnd = std::min(cwnd, m_receiverWindow);
  m_growthAcks = 0;
}

std::uint32_t PacketTcpSender::HalvedFlight() const { return std::max((m_next - m_una) / 2, 2U); }

void PacketTcpSender::TakeSample(std::uint32_t acknowledged) {
  if (m_timedPacket == 0 || acknowledged <= m_timedPacket) {
    return;
  }
  m_timedPacket = 0;
  const ns3::Time sample = ns3::Simulator::Now() - m_timedAt;
  if (m_sampled) {
    m_rttvar += (Abs(m_srtt - sample) - m_rttvar) / 4;
    m_srtt += (sample - m_srtt) / 8;
  } else {
    m_sampled = true;
    m_srtt = sample;
    m_rttvar = sample / 2;
  }
  m_rto = std::clamp(m_srtt + 4 * m_rttvar, m_minRto, m_maxRto);
  m_roundTripTrace(sample);
}

void PacketTcpSender::RestartTimer() {
  m_deadline = ns3::Simulator::Now() + m_rto;
  // A deadline that only moves back, the common case, costs nothing: the pending event will find that it is
  // too early.
  if (m_timer.IsRunning() && m_timer.GetTs() <= static_cast<std::uint64_t>(m_deadline.GetTimeStep())) {
    return;
  }
  m_timer.Cancel();
  m_timer = ns3::Simulator::Schedule(m_rto, &PacketTcpSender::TimerExpired, this);
}

void PacketTcpSender::TimerExpired() {
  if (m_deadline == ns3::Time::Max()) {
    return;
  }
  if (const ns3::Time left = m_deadline - ns3::Simulator::Now(); left.IsStrictlyPositive()) {
    m_timer = ns3::Simulator::Schedule(left, &PacketTcpSender::TimerExpired, this);
    return;
  }
  m_timeoutTrace(m_una);
  Timeout();
  m_rto = std::min(2 * m_rto, m_maxRto);
  m_timedPacket = 0;
  m_duplicates = 0;
  m_next = m_una;
  SendWindow();
}

}  // namespace tcp_atlas
