// SPDX-License-Identifier: GPL-2.0-only
// The sending end of a packet-oriented TCP, as the performance papers of 1997 to 2014 simulate it: windows
// and sequence numbers in whole packets, no handshake, one connection per source whose state is set anew for
// every transfer.
#pragma once

#include <cstdint>

#include "congestion_window.hpp"
#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"
#include "retransmission_timer.hpp"

namespace tcp_atlas {

// The transfer, what is outstanding, and what may be sent. It hears of losses from duplicate acknowledgements
// (RFC 5681). A variant derives from it and decides what acknowledgements and timeouts do to the window. It
// knows no network: packets go out through the callback, acknowledgements come in through ReceiveAck.
class PacketSender : public ns3::Object {
 public:
  using Transmit = ns3::Callback<void, ns3::Ptr<ns3::Packet>>;

  static ns3::TypeId GetTypeId();
  PacketSender();

  void SetTransmit(Transmit transmit) { m_transmit = transmit; }

  // Sends a file of so many packets; the transfer before it must be over.
  void StartTransfer(std::uint32_t packets);
  // Sends another file on the same connection, with the window that the last one left.
  void ContinueTransfer(std::uint32_t packets);
  void ReceiveAck(ns3::Ptr<ns3::Packet> acknowledgement);

  std::uint32_t GetWindow() const { return m_cwnd.Get(); }
  // Without what duplicate acknowledgements add to it in a fast recovery.
  std::uint32_t GetDeflatedWindow() const { return m_recovering ? m_ssthresh : m_cwnd.Get(); }
  std::uint32_t GetThreshold() const { return m_ssthresh; }
  // In a fast recovery no packet is timed, and only retransmissions restart the timer.
  bool InRecovery() const { return m_recovering; }
  std::uint32_t GetHighestSent() const { return m_highestSent; }
  std::uint32_t GetTransfer() const { return m_transfer; }
  std::uint32_t GetFilePackets() const { return m_filePackets; }
  std::uint32_t GetUna() const { return m_una; }
  std::uint32_t GetNext() const { return m_next; }
  bool IsDone() const { return m_una > m_filePackets; }

 protected:
  // The variant's own state, for a new transfer; cwnd and ssthresh are set already.
  virtual void DoStart() {}
  // A new acknowledgement has moved `una` up by `acked` packets, to the end of the file perhaps; what the
  // window then allows is sent.
  virtual void NewAck(std::uint32_t acked) = 0;
  // Three duplicate acknowledgements tell that `una` is lost: sets the window, before it is sent again.
  virtual void Loss() = 0;
  // The timer has run out and ended any recovery: sets the window, before everything from `una` on may be
  // sent again.
  virtual void Timeout() = 0;

  // A fast recovery: the window grows by a packet for every duplicate acknowledgement.
  void BeginRecovery() { m_recovering = true; }
  void EndRecovery() { m_recovering = false; }
  // Duplicates that miss a packet up to this one mean no new loss: they come of packets sent again that had
  // arrived (Floyd 1994; RFC 6582, 3.2). 0: all mean one.
  void SetRecover(std::uint32_t packet) { m_recover = packet; }
  std::uint32_t GetRecover() const { return m_recover; }

  // Sends from `next` on what the window allows.
  void SendWindow();
  // Sends the first unacknowledged packet again.
  void Retransmit();

  // The receiver's window is the limit of the congestion window.
  void Grow(bool slowStart) { m_cwnd.Grow(slowStart, GetReceiverWindow()); }
  void SetWindow(std::uint32_t cwnd) { m_cwnd.Set(cwnd, GetReceiverWindow()); }
  // Half of what is outstanding, and at least 2 (RFC 5681, equation 4).
  std::uint32_t HalvedFlight() const;
  void SetThreshold(std::uint32_t ssthresh) { m_ssthresh = ssthresh; }

  RetransmissionTimer& GetTimer() { return m_timer; }
  std::uint32_t GetReceiverWindow() const { return m_receiverWindow; }
  void SetNext(std::uint32_t next) { m_next = next; }

  void DoDispose() override;

 private:
  void Acknowledged(std::uint32_t missing);
  // Everything below `una` has arrived: gives a round-trip sample if one was being taken, and ends the
  // transfer when nothing is left of it.
  void MoveUna(std::uint32_t una);
  void Send(std::uint32_t number);
  void TimerExpired();

  std::uint32_t m_source = 0;
  std::uint32_t m_receiverWindow = 0;
  std::uint32_t m_initialWindow = 0;
  std::uint32_t m_packetBytes = 0;
  ns3::Time m_initialRto;
  ns3::Time m_minRto;
  ns3::Time m_maxRto;
  ns3::Time m_clockTick;
  Transmit m_transmit;
  RetransmissionTimer m_timer;

  std::uint32_t m_transfer = 0;
  std::uint32_t m_filePackets = 0;  // of all its files
  std::uint32_t m_lastFile = 0;     // packets of the latest
  std::uint32_t m_una = 1;          // the first packet that has not arrived
  std::uint32_t m_next = 1;         // packet to send next
  std::uint32_t m_highestSent = 0;
  std::uint32_t m_duplicates = 0;
  bool m_recovering = false;
  std::uint32_t m_recover = 0;
  CongestionWindow m_cwnd;
  std::uint32_t m_ssthresh = 0;

  ns3::TracedCallback<std::uint32_t> m_sentTrace;
  ns3::TracedCallback<std::uint32_t> m_ackTrace;
  ns3::TracedCallback<ns3::Time> m_roundTripTrace;
  ns3::TracedCallback<std::uint32_t> m_timeoutTrace;
  ns3::TracedCallback<> m_reactedTrace;
  ns3::TracedCallback<std::uint32_t> m_completedTrace;
};

}  // namespace tcp_atlas
