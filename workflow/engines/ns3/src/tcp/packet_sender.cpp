// SPDX-License-Identifier: GPL-2.0-only
#include "packet_sender.hpp"

#include <algorithm>

#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "segment_header.hpp"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(PacketSender);

ns3::TypeId PacketSender::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::PacketSender")
          .SetParent<ns3::Object>()
          .AddAttribute("Source", "What the packets name as their source", ns3::UintegerValue(0),
                        ns3::MakeUintegerAccessor(&PacketSender::m_source),
                        ns3::MakeUintegerChecker<std::uint32_t>())
          .AddAttribute("ReceiverWindow", "Packets", ns3::UintegerValue(44),
                        ns3::MakeUintegerAccessor(&PacketSender::m_receiverWindow),
                        ns3::MakeUintegerChecker<std::uint32_t>(1))
          .AddAttribute("InitialWindow", "Packets", ns3::UintegerValue(2),
                        ns3::MakeUintegerAccessor(&PacketSender::m_initialWindow),
                        ns3::MakeUintegerChecker<std::uint32_t>(1))
          .AddAttribute("PacketSize", "Bytes, this TCP's header included", ns3::UintegerValue(1500),
                        ns3::MakeUintegerAccessor(&PacketSender::m_packetBytes),
                        ns3::MakeUintegerChecker<std::uint32_t>(SegmentHeader::kBytes))
          .AddAttribute("InitialRto", "Before the first sample (RFC 6298, 2.1)",
                        ns3::TimeValue(ns3::Seconds(1)), ns3::MakeTimeAccessor(&PacketSender::m_initialRto),
                        ns3::MakeTimeChecker())
          .AddAttribute("MinRto", "Shortest retransmission timeout", ns3::TimeValue(ns3::Seconds(1)),
                        ns3::MakeTimeAccessor(&PacketSender::m_minRto), ns3::MakeTimeChecker())
          .AddAttribute("MaxRto", "Longest retransmission timeout", ns3::TimeValue(ns3::Seconds(64)),
                        ns3::MakeTimeAccessor(&PacketSender::m_maxRto), ns3::MakeTimeChecker())
          .AddAttribute("ClockTick", "Of the retransmission timer's clock; 0: it runs continuously",
                        ns3::TimeValue(ns3::Time()), ns3::MakeTimeAccessor(&PacketSender::m_clockTick),
                        ns3::MakeTimeChecker())
          .AddTraceSource("Sent", "A packet is sent: its number",
                          ns3::MakeTraceSourceAccessor(&PacketSender::m_sentTrace),
                          "ns3::TracedValueCallback::Uint32")
          .AddTraceSource("Acknowledgement", "One has come: the first packet that it misses",
                          ns3::MakeTraceSourceAccessor(&PacketSender::m_ackTrace),
                          "ns3::TracedValueCallback::Uint32")
          .AddTraceSource("RoundTrip", "A round-trip sample",
                          ns3::MakeTraceSourceAccessor(&PacketSender::m_roundTripTrace),
                          "ns3::TracedValueCallback::Time")
          .AddTraceSource("Timeout", "The timer has run out: the first unacknowledged packet",
                          ns3::MakeTraceSourceAccessor(&PacketSender::m_timeoutTrace),
                          "ns3::TracedValueCallback::Uint32")
          .AddTraceSource("Reacted", "An acknowledgement or a timeout has been dealt with",
                          ns3::MakeTraceSourceAccessor(&PacketSender::m_reactedTrace),
                          "ns3::TracedValueCallback::Void")
          .AddTraceSource("Completed", "The last packet is acknowledged: packets of the file",
                          ns3::MakeTraceSourceAccessor(&PacketSender::m_completedTrace),
                          "ns3::TracedValueCallback::Uint32");
  return id;
}

PacketSender::PacketSender()
    : m_timer(ns3::Callback<void>([this] {
        m_timeoutTrace(m_una);
        TimerExpired();
        m_reactedTrace();
      })) {}

void PacketSender::DoDispose() {
  m_timer.Dispose();
  m_transmit = Transmit();
  Object::DoDispose();
}

void PacketSender::StartTransfer(std::uint32_t packets) {
  ++m_transfer;
  m_filePackets = m_lastFile = packets;
  m_una = m_next = 1;
  m_timer.Reset({m_initialRto, m_minRto, m_maxRto, m_clockTick});
  m_highestSent = m_duplicates = m_recover = 0;
  m_recovering = false;
  SetWindow(m_initialWindow);
  m_ssthresh = m_receiverWindow;  // as high as it can matter
  DoStart();
  SendWindow();
}

void PacketSender::ContinueTransfer(std::uint32_t packets) {
  m_filePackets += packets;
  m_lastFile = packets;
  SendWindow();
}

void PacketSender::ReceiveAck(ns3::Ptr<ns3::Packet> acknowledgement) {
  SegmentHeader header;
  acknowledgement->PeekHeader(header);
  if (header.GetTransfer() != m_transfer || IsDone()) {
    return;
  }
  m_ackTrace(header.GetNumber());
  Acknowledged(header.GetNumber());
  if (!IsDone()) {
    m_reactedTrace();
  }
}

void PacketSender::MoveUna(std::uint32_t una) {
  if (const ns3::Time sample = m_timer.Acknowledged(una); !sample.IsZero()) {
    m_roundTripTrace(sample);
  }
  m_una = una;
  m_next = std::max(m_next, una);
  if (IsDone()) {
    m_timer.Stop();
    m_completedTrace(m_lastFile);
  }
}

void PacketSender::Send(std::uint32_t number) {
  m_sentTrace(number);
  const auto packet = ns3::Create<ns3::Packet>(m_packetBytes - SegmentHeader::kBytes);
  packet->AddHeader(SegmentHeader(m_source, m_transfer, number));
  m_transmit(packet);
}

void PacketSender::Acknowledged(std::uint32_t missing) {
  const std::uint32_t una = m_una;
  if (missing > una) {
    m_duplicates = 0;
    MoveUna(missing);
    NewAck(m_una - una);
    SendWindow();
  } else if (m_next > una) {
    ++m_duplicates;
    if (m_recovering) {
      SetWindow(GetWindow() + 1);
      SendWindow();
    } else if (m_duplicates == 3 && (m_recover == 0 || una > m_recover + 1)) {
      Loss();
      Retransmit();
    }
  }
}

void PacketSender::SendWindow() {
  const std::uint32_t end = std::min(m_una + GetWindow(), m_filePackets + 1);
  const bool sends = m_next < end;
  for (std::uint32_t next = m_next; next < end; ++next) {
    m_next = next + 1;
    if (next > m_highestSent) {
      m_highestSent = next;
      if (!m_recovering) {
        m_timer.TimePacket(next);
      }
    }
    Send(next);
  }
  // The timer is set on packets sent, "on the first of the group" (Zaragoza 2014, 3.1), not by
  // acknowledgements.
  if (sends && !m_recovering) {
    m_timer.Restart();
  }
}

void PacketSender::Retransmit() {
  m_timer.StopTiming();
  Send(m_una);
  m_timer.Restart();
}

std::uint32_t PacketSender::HalvedFlight() const { return std::max((m_next - m_una) / 2, 2U); }

void PacketSender::TimerExpired() {
  m_recovering = false;
  Timeout();
  m_timer.BackOff();
  m_timer.StopTiming();
  m_duplicates = 0;
  m_next = m_una;
  SendWindow();
}

}  // namespace tcp_atlas
