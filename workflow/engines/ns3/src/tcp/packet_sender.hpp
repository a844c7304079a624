// SPDX-License-Identifier: GPL-2.0-only
// The sending end of a packet-oriented TCP, as the performance papers of 1997 to 2014 simulate it: windows
// and sequence numbers in whole packets, no handshake, one connection per source whose state is set anew for
// every transfer.
#pragma once

#include <cstdint>

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"
#include "retransmission_timer.hpp"

namespace tcp_atlas {

// What senders have in common, however they hear of losses: limits, the transfer, packets and the timer. It
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

  virtual std::uint32_t GetWindow() const = 0;
  // Without what duplicate acknowledgements add to it in a fast recovery.
  virtual std::uint32_t GetDeflatedWindow() const { return GetWindow(); }
  virtual std::uint32_t GetThreshold() const = 0;
  virtual bool InRecovery() const = 0;
  std::uint32_t GetTransfer() const { return m_transfer; }
  std::uint32_t GetFilePackets() const { return m_filePackets; }
  std::uint32_t GetUna() const { return m_una; }
  std::uint32_t GetNext() const { return m_next; }
  bool IsDone() const { return m_una > m_filePackets; }

 protected:
  // What one acknowledgement says.
  struct Acknowledgement {
    std::uint32_t missing;       // the first packet that the receiver misses
    std::uint32_t packet;        // the one that it answers
    std::uint32_t transmission;  // of that packet, as Send was told
  };

  // A new transfer begins; `una` and `next` are 1, and the timer stands still.
  virtual void Begin() = 0;
  // The file has become longer; what the window allows is sent.
  virtual void Resume() = 0;
  // Of the present transfer, which is not done. Whoever moves `una` calls MoveUna.
  virtual void Acknowledged(const Acknowledgement& acknowledgement) = 0;
  virtual void TimerExpired() = 0;

  // Everything below `una` has arrived: gives a round-trip sample if one was being taken, and ends the
  // transfer when nothing is left of it.
  void MoveUna(std::uint32_t una);
  void SetNext(std::uint32_t next) { m_next = next; }
  void Send(std::uint32_t number, std::uint32_t transmission);

  RetransmissionTimer& GetTimer() { return m_timer; }
  std::uint32_t GetReceiverWindow() const { return m_receiverWindow; }
  std::uint32_t GetInitialWindow() const { return m_initialWindow; }
  // At most the receiver's window: as high as it can matter.
  std::uint32_t GetInitialThreshold() const;

  void DoDispose() override;

 private:
  std::uint32_t m_source = 0;
  std::uint32_t m_receiverWindow = 0;
  std::uint32_t m_initialWindow = 0;
  std::uint32_t m_initialThreshold = 0;
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

  ns3::TracedCallback<std::uint32_t> m_sentTrace;
  ns3::TracedCallback<std::uint32_t> m_ackTrace;
  ns3::TracedCallback<ns3::Time> m_roundTripTrace;
  ns3::TracedCallback<std::uint32_t> m_timeoutTrace;
  ns3::TracedCallback<> m_reactedTrace;
  ns3::TracedCallback<std::uint32_t> m_completedTrace;
};

}  // namespace tcp_atlas
