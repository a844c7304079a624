// SPDX-License-Identifier: GPL-2.0-only
#include "links.hpp"

#include <cmath>

#include "kit/point/point.hpp"
#include "ns3/boolean.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "path_tag.hpp"
#include "queue/disc_queue.hpp"
#include "queue/fair_queue_disc.hpp"

namespace tcp_atlas {
namespace {

constexpr std::uint16_t kProtocol =
    0x0800;  // it carries IPv4 and IPv6 only; which one is of no consequence here

constexpr std::uint32_t kFramingBytes = 2;  // of a point-to-point device
constexpr auto kLeastPacket = static_cast<std::int32_t>(kFramingBytes + SegmentHeader::kBytes);
constexpr std::int32_t kLargestPacket = UINT32_MAX / 8;  // a device counts a packet's bits in 32 bits
constexpr double kHighestRate = 1e17;                    // bit/s: ns-3 divides by it with 63 bits

ns3::QueueSize packets(std::int32_t count) {
  return ns3::QueueSize(ns3::PACKETS, static_cast<std::uint32_t>(count));
}

}  // namespace

void use_picoseconds() {
  static const bool done = [] {
    ns3::Time::SetResolution(ns3::Time::PS);
    return true;
  }();
  static_cast<void>(done);
}

kit::Picoseconds now() { return ns3::Simulator::Now().GetTimeStep(); }

ns3::Time time(kit::Picoseconds picoseconds) {
  return ns3::PicoSeconds(static_cast<std::uint64_t>(picoseconds));
}

ns3::Time time(double seconds) { return time(kit::picoseconds(seconds)); }

std::uint64_t whole_rate(double bit_per_s, const std::string& name) {
  if (bit_per_s != std::round(bit_per_s) || bit_per_s > kHighestRate) {
    throw kit::Unsupported(name + ".rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
  }
  return static_cast<std::uint64_t>(bit_per_s);
}

std::uint32_t bytes_in_device(std::int32_t packet_bytes) {
  if (packet_bytes < kLeastPacket || packet_bytes > kLargestPacket) {
    throw kit::Unsupported("packet_bytes: has to be from 14 to 536870911 for ns3");
  }
  return static_cast<std::uint32_t>(packet_bytes) - kFramingBytes;
}

std::pair<Device, Device> connect(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, std::uint64_t bit_per_s,
                                  ns3::Time delay, DeviceQueue queue) {
  const auto channel = ns3::CreateObject<ns3::PointToPointChannel>();
  channel->SetAttribute("Delay", ns3::TimeValue(delay));
  const auto attach = [&](ns3::Ptr<ns3::Node> node) {
    const auto device = ns3::CreateObject<ns3::PointToPointNetDevice>();
    device->SetDataRate(ns3::DataRate(bit_per_s));
    device->SetQueue(queue);  // packets go one way only, so the receiving end has no use for it
    node->AddDevice(device);
    device->Attach(channel);
    return device;
  };
  const auto sending = attach(from);
  return {sending, attach(to)};
}

void send_on(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::Packet> packet) {
  device->Send(packet, device->GetBroadcast(), kProtocol);
}

SegmentHeader header_of(ns3::Ptr<const ns3::Packet> packet) {
  SegmentHeader header;
  packet->PeekHeader(header);
  return header;
}

SegmentHeader header_of_frame(ns3::Ptr<const ns3::Packet> frame) {
  const auto packet = frame->Copy();
  ns3::PppHeader ppp;
  packet->RemoveHeader(ppp);
  return header_of(packet);
}

void tag_when_it_began(ns3::Ptr<const ns3::Packet> packet) {
  PathTag tag;
  tag.began = now();
  packet->AddPacketTag(tag);
}

void count_from(ns3::Ptr<ns3::Packet> packet, kit::Picoseconds time) {
  PathTag tag;
  packet->RemovePacketTag(tag);
  tag.counted = time;
  packet->AddPacketTag(tag);
}

DeviceQueue endless_queue() {
  const auto queue = ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>();
  queue->SetMaxSize(ns3::QueueSize(ns3::PACKETS, UINT32_MAX));
  return queue;
}

ns3::Ptr<InclusiveDropTailQueue> drop_tail_queue(std::int32_t buffer_packets, const QueueWatcher& watcher) {
  const auto queue = ns3::CreateObject<InclusiveDropTailQueue>();
  queue->SetMaxSize(packets(buffer_packets));
  queue->TraceConnectWithoutContext("Present", watcher.changed);
  queue->TraceConnectWithoutContext("Drop", watcher.dropped);
  return queue;
}

DeviceQueue fair_queue(std::int32_t buffer_packets, bool shared, const QueueWatcher& watcher) {
  const auto disc = ns3::CreateObject<FairQueueDisc>();
  disc->SetMaxSize(packets(buffer_packets));
  disc->SetAttribute("Shared", ns3::BooleanValue(shared));
  disc->TraceConnectWithoutContext("Present", watcher.changed);
  disc->TraceConnectWithoutContext("Drop",
                                   ns3::Callback<void, ns3::Ptr<const ns3::QueueDiscItem>>(
                                       [dropped = watcher.dropped](ns3::Ptr<const ns3::QueueDiscItem> item) {
                                         dropped(item->GetPacket());
                                       }));
  const auto queue = ns3::CreateObject<DiscQueue>();
  queue->SetDisc(disc, DiscQueue::FlowOf([](ns3::Ptr<const ns3::Packet> frame) {
                   return header_of_frame(frame).GetSource();
                 }));
  return queue;
}

}  // namespace tcp_atlas
