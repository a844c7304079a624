// SPDX-License-Identifier: GPL-2.0-only
#include "topology/local_loop.hpp"

#include <algorithm>

#include "ns3/simulator.h"

namespace tcp_atlas {
namespace {

std::string name_of(std::size_t station) { return "stations." + std::to_string(station); }

// Where the station is that all users share.
std::size_t shared_of(const kit::LocalLoop& loop) {
  return static_cast<std::size_t>(
      std::ranges::find_if(loop.stations,
                           [](const kit::Station& station) { return station.queue.has_value(); }) -
      loop.stations.begin());
}

kit::Bottleneck bottleneck_of(const kit::Station& station) {
  kit::Bottleneck bottleneck{station};
  bottleneck.buffer_packets = station.buffer_packets;
  bottleneck.queue = *station.queue;
  return bottleneck;
}

}  // namespace

LocalLoop::LocalLoop(const kit::LocalLoop& loop)
    : Topology(bottleneck_of(loop.stations[shared_of(loop)]), name_of(shared_of(loop))),
      stations_(loop.stations),
      shared_at_(shared_of(loop)) {
  for (std::size_t station = 0; station < stations_.size(); ++station) {
    if (stations_[station].load) {
      throw kit::Unsupported(name_of(station) + ".load: has to be left out for ns3");
    }
    if (stations_[station].head_of_line == kit::Station::HeadOfLine::kApart) {
      throw kit::Unsupported(name_of(station) + ".head_of_line: has to be in-buffer for ns3");
    }
  }
}

Device LocalLoop::to_shared(std::uint32_t /*source*/, const Hop& hop) { return links(0, shared_at_, hop); }

Hop LocalLoop::from_shared(std::uint32_t /*source*/, const Hop& hop) {
  const Device first = links(shared_at_ + 1, stations_.size(), hop);
  if (first == nullptr) {
    return hop;
  }
  return [first](const Packet& packet) { send_on(first, packet); };
}

Device LocalLoop::links(std::size_t first, std::size_t end, Hop hop) const {
  Device device;
  auto to = ns3::CreateObject<ns3::Node>();
  for (std::size_t station = end; station-- > first;) {
    const auto from = ns3::CreateObject<ns3::Node>();
    device = build_link(from, to, whole_rate(stations_[station].rate_bit_per_s, name_of(station)),
                        time(stations_[station].delay_s), hop);
    hop = [device](const Packet& packet) { send_on(device, packet); };
    to = from;
  }
  return device;
}

Hop LocalLoop::back(std::uint32_t /*source*/, ns3::Time delay, const Hop& hop) {
  return [delay, hop](const Packet& acknowledgement) {
    ns3::Simulator::Schedule(delay, [hop, acknowledgement] { hop(acknowledgement); });
  };
}

}  // namespace tcp_atlas
