// SPDX-License-Identifier: GPL-2.0-only
// A transfer without end over one of ns-3's TCP connections.
#pragma once

#include <cstdint>

#include "kit/point/point.hpp"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-socket-base.h"

namespace ns3_tcp {

// Both ends of it, on nodes that have ns-3's internet stack.
class Flow {
 public:
  // Throws kit::Unsupported.
  Flow(const kit::Tcp& tcp, std::int32_t packet_bytes, ns3::Ptr<ns3::Node> source, ns3::Ptr<ns3::Node> sink,
       ns3::Ipv4Address sink_address);
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  // Connects, and sends as soon as the handshake is over.
  void start();

  // Packets' worth of data that have been acknowledged.
  std::int64_t acknowledged() const { return acknowledged_bytes_ / segment_bytes_; }

 private:
  ns3::Ptr<ns3::TcpSocketBase> socket(ns3::Ptr<ns3::Node> node, const kit::Tcp& tcp) const;
  void fill();

  std::uint32_t segment_bytes_;
  ns3::Ipv4Address sink_address_;
  ns3::Ptr<ns3::TcpSocketBase> sender_, listener_;
  std::int64_t acknowledged_bytes_ = 0;
};

}  // namespace ns3_tcp
