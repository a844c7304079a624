// SPDX-License-Identifier: GPL-2.0-only
// Links of ns-3's point-to-point devices, packets on them, and the queues that sources share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "kit/main/units.hpp"
#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue.h"
#include "queue/inclusive_drop_tail_queue.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {

using Device = ns3::Ptr<ns3::PointToPointNetDevice>;
using DeviceQueue = ns3::Ptr<ns3::Queue<ns3::Packet>>;

// Sets ns-3's time resolution to a picosecond, once for the process.
void use_picoseconds();
kit::Picoseconds now();
ns3::Time time(kit::Picoseconds picoseconds);
ns3::Time time(double seconds);

// A device's rate in bit/s, of which it knows whole ones only. `name`: of the link, in a message. Throws
// kit::Unsupported.
std::uint64_t whole_rate(double bit_per_s, const std::string& name);

// Of a packet, as devices are given it, without their own header. Throws kit::Unsupported.
std::uint32_t bytes_in_device(std::int32_t packet_bytes);

// Devices at both ends of a new link; returns those of its sending and its receiving end.
std::pair<Device, Device> connect(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, std::uint64_t bit_per_s,
                                  ns3::Time delay, DeviceQueue queue);
void send_on(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::Packet> packet);

SegmentHeader header_of(ns3::Ptr<const ns3::Packet> packet);
// As a device queues it: with its own header in front.
SegmentHeader header_of_frame(ns3::Ptr<const ns3::Packet> frame);

// Note in a packet's PathTag that its way begins now, and when it is counted.
void tag_when_it_began(ns3::Ptr<const ns3::Packet> packet);
void count_from(ns3::Ptr<ns3::Packet> packet, kit::Picoseconds time);

// Who is told of a queue's length, and of the packets that it drops, as the device queues them.
struct QueueWatcher {
  ns3::Callback<void, std::uint32_t, std::uint32_t> changed;  // before, and now
  ns3::Callback<void, ns3::Ptr<const ns3::Packet>> dropped;
};

DeviceQueue endless_queue();
ns3::Ptr<InclusiveDropTailQueue> drop_tail_queue(std::int32_t buffer_packets, const QueueWatcher& watcher);
// `shared`: one buffer for all sources, else one for each.
DeviceQueue fair_queue(std::int32_t buffer_packets, bool shared, const QueueWatcher& watcher);

}  // namespace tcp_atlas
