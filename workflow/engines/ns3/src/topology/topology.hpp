// SPDX-License-Identifier: GPL-2.0-only
// Where a packet of a source goes next.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "kit/point/point.hpp"
#include "links.hpp"
#include "ns3/node.h"

namespace tcp_atlas {

using Packet = ns3::Ptr<ns3::Packet>;
using Hop = std::function<void(Packet)>;  // takes a packet on

// The links before and behind the station that all sources share, and the way back. Senders, receivers, the
// shared queue and what is measured of them are the same for every topology (network.hpp).
class Topology {
 public:
  virtual ~Topology() = default;

  const kit::Bottleneck& shared() const { return shared_; }
  const std::string& shared_name() const { return name_; }
  ns3::Ptr<ns3::Node> entry() const { return entry_; }
  ns3::Ptr<ns3::Node> exit() const { return exit_; }

  // Builds a source's links to the shared station, where a packet takes the hop; returns the first of them.
  virtual Device to_shared(std::uint32_t source, const Hop& hop) = 0;
  // The links from the shared station to the source's receiver.
  virtual Hop from_shared(std::uint32_t source, const Hop& hop) = 0;
  // The way of its acknowledgements, pure delay.
  virtual Hop back(std::uint32_t source, ns3::Time delay, const Hop& hop) = 0;

 protected:
  Topology(kit::Bottleneck shared, std::string name) : shared_(shared), name_(std::move(name)) {}

 private:
  kit::Bottleneck shared_;
  std::string name_;
  ns3::Ptr<ns3::Node> entry_ = ns3::CreateObject<ns3::Node>();
  ns3::Ptr<ns3::Node> exit_ = ns3::CreateObject<ns3::Node>();
};

// Throws kit::Unsupported.
std::unique_ptr<Topology> topology_of(const kit::Point& point);

// A link without a limit to its queue; at its end a packet takes the hop.
Device build_link(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, std::uint64_t bit_per_s, ns3::Time delay,
                  const Hop& hop);

}  // namespace tcp_atlas
