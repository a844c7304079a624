// SPDX-License-Identifier: GPL-2.0-only
#include "topology/topology.hpp"

#include <variant>

#include "topology/dumbbell.hpp"
#include "topology/local_loop.hpp"

namespace tcp_atlas {
namespace {

std::unique_ptr<Topology> build(const kit::Dumbbell& links, const kit::Point& point) {
  return std::make_unique<Dumbbell>(links, point);
}

std::unique_ptr<Topology> build(const kit::LocalLoop& loop, const kit::Point& /*point*/) {
  return std::make_unique<LocalLoop>(loop);
}

}  // namespace

std::unique_ptr<Topology> topology_of(const kit::Point& point) {
  use_picoseconds();
  return std::visit([&](const auto& topology) { return build(topology, point); }, point.topology);
}

Device build_link(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, std::uint64_t bit_per_s, ns3::Time delay,
                  const Hop& hop) {
  const auto [sending, receiving] = connect(from, to, bit_per_s, delay, endless_queue());
  receiving->SetReceiveCallback(
      ns3::NetDevice::ReceiveCallback([hop](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet,
                                            std::uint16_t, const ns3::Address&) {
        hop(packet->Copy());
        return true;
      }));
  return sending;
}

}  // namespace tcp_atlas
