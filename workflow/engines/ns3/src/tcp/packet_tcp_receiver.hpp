// SPDX-License-Identifier: GPL-2.0-only
// The receiving end of a packet-oriented TCP, with cumulative acknowledgements.
#pragma once

#include <cstdint>
#include <set>

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"

namespace tcp_atlas {

// Serves the transfers of one PacketSender. A transfer begins with its first packet; packets of earlier
// transfers are not answered.
//
// Every packet is acknowledged at once, or with PacketsPerAck above 1 (RFC 5681, section 4.2) so many
// together, the first of them after AckDelay at the latest (RFC 1122, section 4.2.3.2). What is beyond a gap,
// what fills one and what has come before is acknowledged at once, and so are the first QuickAcks packets of
// a transfer.
class PacketTcpReceiver : public ns3::Object {
 public:
  using Transmit = ns3::Callback<void, ns3::Ptr<ns3::Packet>>;

  static ns3::TypeId GetTypeId();

  // `transmit` takes acknowledgements to the sender, over whatever network.
  void SetTransmit(Transmit transmit) { m_transmit = transmit; }

  // Returns whether the packet had not come before.
  bool Receive(ns3::Ptr<ns3::Packet> packet);

 private:
  void Acknowledge();

  std::uint32_t m_packetsPerAck = 1;
  ns3::Time m_ackDelay;
  std::uint32_t m_quickAcks = 0;
  Transmit m_transmit;

  std::uint32_t m_source = 0;
  std::uint32_t m_transfer = 0;
  std::uint32_t m_expected = 1;
  std::set<std::uint32_t> m_beyond;  // arrived, but after a gap
  std::uint32_t m_received = 0;      // packets of this transfer
  std::uint32_t m_unanswered = 0;    // packets since the last acknowledgement
  ns3::EventId m_ackTimer;
};

}  // namespace tcp_atlas
