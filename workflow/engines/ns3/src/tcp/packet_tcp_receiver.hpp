// SPDX-License-Identifier: GPL-2.0-only
// The receiving end of a packet-oriented TCP: every packet is acknowledged, cumulatively and at once.
#pragma once

#include <cstdint>
#include <set>

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/packet.h"

namespace tcp_atlas {

// Serves the transfers of one PacketTcpSender. A transfer begins with its first packet; packets of earlier
// transfers are not answered.
class PacketTcpReceiver : public ns3::Object {
 public:
  using Transmit = ns3::Callback<void, ns3::Ptr<ns3::Packet>>;

  static ns3::TypeId GetTypeId();

  // `transmit` takes acknowledgements to the sender, over whatever network.
  void SetTransmit(Transmit transmit) { m_transmit = transmit; }

  // Returns whether the packet had not come before.
  bool Receive(ns3::Ptr<ns3::Packet> packet);

 private:
  Transmit m_transmit;
  std::uint32_t m_transfer = 0;
  std::uint32_t m_expected = 1;
  std::set<std::uint32_t> m_beyond;  // arrived, but after a gap
};

}  // namespace tcp_atlas
