// SPDX-License-Identifier: GPL-2.0-only
// The sending end of a packet-oriented TCP, as the performance papers of 1997 to 2014 simulate it: windows
// and sequence numbers in whole packets, no handshake, one connection per source whose state is set anew for
// every transfer.
#pragma once

#include <cstdint>

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

namespace tcp_atlas {

// What is outstanding, what may be sent, round-trip samples and the retransmission timer. A variant derives
// from it and decides what acknowledgements and timeouts do to the window.
//
// It knows no network: packets go out through the callback, acknowledgements come in through ReceiveAck.
class PacketTcpSender : public ns3::Object {
 public:
  using Transmit = ns3::Callback<void, ns3::Ptr<ns3::Packet>>;

  static ns3::TypeId GetTypeId();

  void SetTransmit(Transmit transmit) { m_transmit = transmit; }

  // Sends a file of so many packets; the transfer before it must be over.
  void StartTransfer(std::uint32_t packets);

  void ReceiveAck(ns3::Ptr<ns3::Packet> acknowledgement);

  bool IsDone() const { return m_una > m_filePackets; }
  std::uint32_t GetWindow() const { return m_cwnd; }
  std::uint32_t GetThreshold() const { return m_ssthresh; }

 protected:
  // The variant's own state, for a new transfer; cwnd and ssthresh are set already.
  virtual void DoStart() = 0;
  // A new acknowledgement has moved `una` up by `acked` packets.
  virtual void NewAck(std::uint32_t acked) = 0;
  // The `count`-th duplicate acknowledgement in a row.
  virtual void DuplicateAck(std::uint32_t count) = 0;
  // The timer has run out: sets the window, before everything from `una` on may be sent again.
  virtual void Timeout() = 0;
  // In a fast recovery no packet is timed, and only retransmissions restart the timer.
  virtual bool InRecovery() const = 0;

  // Sends from `next` on what the window allows.
  void SendWindow();
  // Sends the first unacknowledged packet again.
  void Retransmit();

  // A packet more for every acknowledgement in slow start, for every window of acknowledgements in congestion
  // avoidance; never above the receiver's window. Acknowledgements are counted, so nothing is rounded.
  void Grow(bool slowStart);
  // Sets the window and begins a new count of acknowledgements.
  void SetWindow(std::uint32_t cwnd);
  // Half of what is outstanding, and at least 2 (RFC 5681, equation 4).
  std::uint32_t HalvedFlight() const;
  void SetThreshold(std::uint32_t ssthresh) { m_ssthresh = ssthresh; }

  std::uint32_t GetUna() const { return m_una; }
  std::uint32_t GetHighestSent() const { return m_highestSent; }
  std::uint32_t GetReceiverWindow() const { return m_receiverWindow; }
  void SetNext(std::uint32_t next) { m_next = next; }

 private:
  void DoDispose() override;
  void Send(std::uint32_t number);
  void TakeSample(std::uint32_t acknowledged);
  void RestartTimer();
  void TimerExpired();

  std::uint32_t m_source = 0;
  std::uint32_t m_receiverWindow = 0;
  std::uint32_t m_initialWindow = 0;
  std::uint32_t m_packetBytes = 0;
  ns3::Time m_minRto;
  ns3::Time m_maxRto;
  Transmit m_transmit;

  std::uint32_t m_transfer = 0;
  std::uint32_t m_filePackets = 0;
  std::uint32_t m_una = 1;   // first packet without an acknowledgement
  std::uint32_t m_next = 1;  // packet to send next
  std::uint32_t m_highestSent = 0;
  std::uint32_t m_duplicates = 0;
  std::uint32_t m_cwnd = 0;
  std::uint32_t m_ssthresh = 0;
  std::uint32_t m_growthAcks = 0;

  // RFC 6298 with a clock without granularity. One packet is timed at a time, never one that was sent twice.
  std::uint32_t m_timedPacket = 0;  // 0: none
  ns3::Time m_timedAt;
  bool m_sampled = false;
  ns3::Time m_srtt;
  ns3::Time m_rttvar;
  ns3::Time m_rto;
  ns3::Time m_deadline;
  ns3::EventId m_timer;  // comes at the deadline or before it

  ns3::TracedCallback<std::uint32_t> m_sentTrace;
  ns3::TracedCallback<std::uint32_t> m_ackTrace;
  ns3::TracedCallback<ns3::Time> m_roundTripTrace;
  ns3::TracedCallback<std::uint32_t> m_timeoutTrace;
  ns3::TracedCallback<std::uint32_t> m_completedTrace;
};

}  // namespace tcp_atlas
