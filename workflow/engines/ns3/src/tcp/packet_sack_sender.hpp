// SPDX-License-Identifier: GPL-2.0-only
// A sender that hears of every packet that arrives (selective acknowledgements) and recovers many losses in a
// round trip (RFC 6675).
#pragma once

#include <cstdint>
#include <deque>
#include <set>

#include "packet_sender.hpp"

namespace tcp_atlas {

// The path keeps packets in order. So what was sent before a packet that arrived, and has not arrived, is
// missing; when three packets sent after it have come, it is lost (the third duplicate acknowledgement).
//
// Packets are sent as long as fewer are in flight than the window has room for, lost ones first. With PAUSE
// that holds in recovery too: after a loss the sender is silent until as many packets have left the network
// as the window was cut by (Blanc, Collange and Avrachenkov 2008, section 4). A variant derives from it and
// decides about the window.
//
// With RFC_6675 the first packet that is lost goes out at once (section 5, step 4.3); after a timeout the
// window grows again from what Timeout left, and what is lost of the packets sent before it cuts no window.
//
// RATE_HALVING is that of ns-2's Linux agent (Wei and Cao 2006), after Mathis, Semke and Mahdavi 1999: in
// recovery a packet goes out when two have left the network since the last one did, until half of the reduced
// window is in flight, and from there on one for each that leaves. The window that goes on from there is at
// most three packets more than are in flight when the recovery ends.
class PacketSackSender : public PacketSender {
 public:
  enum Recovery { PAUSE, RATE_HALVING, RFC_6675 };

  static ns3::TypeId GetTypeId();

  bool InRecovery() const override { return m_recovering; }

 protected:
  // For a variant that knows one only.
  void SetRecovery(Recovery recovery) { m_recovery = recovery; }

  // The variant's own state, for a new transfer.
  virtual void DoStart() = 0;
  // The round-trip time of a packet that was sent once, and has come outside recovery.
  virtual void Sample(ns3::Time roundTrip) = 0;
  // `una` has moved, outside recovery, to the end of the file perhaps.
  virtual void NewAck() = 0;
  // A loss has been found; packets lost until all that is outstanding has come belong to it.
  virtual void Loss() = 0;
  // All that was outstanding has come.
  virtual void Recovered() = 0;
  // The window becomes so many packets, which are fewer than it was.
  virtual void ShrinkTo(std::uint32_t packets) = 0;
  // The timer has run out.
  virtual void Timeout() = 0;

 private:
  struct Transmission {
    std::uint32_t packet;
    ns3::Time sent;
    bool again;
  };
  struct Missing {
    std::uint32_t packet;
    std::uint32_t arrivals;  // of packets sent after it
  };

  void Begin() override;
  void Resume() override;
  void Acknowledged(const Acknowledgement& acknowledgement) override;
  void TimerExpired() override;

  // Returns the round-trip time of the packet that is answered; zero if it was sent more than once.
  ns3::Time TakeOffThePath(const Acknowledgement& acknowledgement);
  void MarkArrived(std::uint32_t packet);
  void FindLosses();
  void BeginRecovery();
  // Returns whether a packet may go out.
  bool HasRoom() const;
  void ForgetPath();
  void SendWindow();
  void RetransmitFirstLost();
  void Transmit(std::uint32_t packet, bool again);

  Recovery m_recovery = PAUSE;

  bool m_recovering = false;
  std::uint32_t m_recover = 0;        // the highest packet sent when the loss was found
  std::uint32_t m_due = 0;            // while the rate is halved: with fewer in flight one is due
  std::uint32_t m_transmissions = 0;  // so far: the number of the next one
  std::uint32_t m_firstOnPath = 0;    // the first transmission that is still on its way
  std::uint32_t m_inFlight = 0;       // sent, not arrived and not known to be lost
  std::deque<Transmission> m_onPath;  // in the order of sending
  std::deque<Missing> m_missing;      // passed by later ones
  std::deque<std::uint32_t> m_lost;   // to be sent again
  std::set<std::uint32_t> m_beyond;   // arrived, but after a gap

  ns3::TracedCallback<std::uint32_t, std::uint32_t> m_cutTrace;
};

}  // namespace tcp_atlas
