// SPDX-License-Identifier: GPL-2.0-only
#include "network.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "kit/main/clock.hpp"
#include "ns3/boolean.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "path_tag.hpp"
#include "queue/disc_queue.hpp"
#include "queue/fair_queue_disc.hpp"
#include "sender_of.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;

constexpr std::uint16_t kProtocol =
    0x0800;  // it carries IPv4 and IPv6 only; which one is of no consequence here
constexpr std::uint64_t kNoTransmissionTime =
    1'000'000'000'000'000'000;                       // bit/s: under a picosecond a packet
constexpr std::uint32_t kCrossTraffic = UINT32_MAX;  // as a source

constexpr std::uint32_t kFramingBytes = 2;  // of a point-to-point device
constexpr auto kLeastPacket = static_cast<std::int32_t>(kFramingBytes + SegmentHeader::kBytes);
constexpr std::int32_t kLargestPacket = UINT32_MAX / 8;  // a device counts a packet's bits in 32 bits
constexpr double kHighestRate = 1e17;                    // bit/s: ns-3 divides by it with 63 bits

// A device's rate in bit/s, of which it knows whole ones only.
std::uint64_t whole_rate(const kit::Link& link, const std::string& name) {
  if (link.rate_bit_per_s != std::round(link.rate_bit_per_s) || link.rate_bit_per_s > kHighestRate) {
    throw kit::Unsupported(name + ".rate_bit_per_s: has to be a whole number for ns3, at most 1e17");
  }
  return static_cast<std::uint64_t>(link.rate_bit_per_s);
}

ns3::Time time(double seconds) {
  return ns3::PicoSeconds(static_cast<std::uint64_t>(kit::picoseconds(seconds)));
}

void use_picoseconds() {
  static const bool done = [] {
    ns3::Time::SetResolution(ns3::Time::PS);
    return true;
  }();
  static_cast<void>(done);
}

bool is_drop_tail(const kit::Point& point) {
  return point.bottleneck.queue == kit::Bottleneck::Queue::kDropTail;
}

// Devices at both ends of a new link; returns those of its sending and its receiving end.
std::pair<ns3::Ptr<ns3::PointToPointNetDevice>, ns3::Ptr<ns3::PointToPointNetDevice>> connect(
    ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, std::uint64_t bit_per_s, ns3::Time delay,
    ns3::Ptr<ns3::Queue<ns3::Packet>> queue) {
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

ns3::Ptr<ns3::Queue<ns3::Packet>> endless_queue() {
  const auto queue = ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>();
  queue->SetMaxSize(ns3::QueueSize(ns3::PACKETS, UINT32_MAX));
  return queue;
}

void send_on(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::Packet> packet) {
  device->Send(packet, device->GetBroadcast(), kProtocol);
}

SegmentHeader header_of(ns3::Ptr<const ns3::Packet> packet) {
  SegmentHeader header;
  packet->PeekHeader(header);
  return header;
}

// As a device queues it: with its own header in front.
SegmentHeader header_of_frame(ns3::Ptr<const ns3::Packet> frame) {
  const auto packet = frame->Copy();
  ns3::PppHeader ppp;
  packet->RemoveHeader(ppp);
  return header_of(packet);
}

ns3::QueueSize packets(std::int32_t count) {
  return ns3::QueueSize(ns3::PACKETS, static_cast<std::uint32_t>(count));
}

void count_from(ns3::Ptr<ns3::Packet> packet, Picoseconds time) {
  PathTag tag;
  packet->RemovePacketTag(tag);
  tag.counted = time;
  packet->AddPacketTag(tag);
}

void tag_when_it_began(ns3::Ptr<const ns3::Packet> packet) {
  PathTag tag;
  tag.began = now();
  packet->AddPacketTag(tag);
}

}  // namespace

Picoseconds now() { return ns3::Simulator::Now().GetTimeStep(); }

Network::Network(const kit::Point& point, std::uint64_t seed, Watcher watcher)
    : point_(point),
      watcher_(std::move(watcher)),
      cross_traffic_(point.cross_traffic, point.packet_bytes, seed),
      loss_random_(seed, kit::Stream::kLinkLoss),
      ties_(point.bottleneck.ties, seed),
      groups_(point),
      monitor_(static_cast<std::size_t>(point.source_count()),
               is_drop_tail(point) ? static_cast<std::size_t>(point.bottleneck.buffer_packets) : 0),
      flows_(static_cast<std::size_t>(point.source_count())) {
  use_picoseconds();
  build_bottleneck();
  for (std::uint32_t source = 0; source < flows_.size(); ++source) {
    build_flow(source);
  }
  wait_for_cross_traffic();
  ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(kit::kClockEnd)), [this] {
    if (!draining_) {
      kit::clock_ended();
    }
  });
}

Network::~Network() { ns3::Simulator::Destroy(); }

void Network::build_bottleneck() {
  entry_ = ns3::CreateObject<ns3::Node>();
  exit_ = ns3::CreateObject<ns3::Node>();
  const auto [sending, receiving] =
      connect(entry_, exit_, whole_rate(point_.bottleneck, "links.bottleneck"),
              time(point_.bottleneck.delay_s), is_drop_tail(point_) ? drop_tail_queue() : fair_queue());
  bottleneck_ = sending;
  receiving->SetReceiveCallback(ns3::MakeCallback(&Network::behind_bottleneck, this));
}

ns3::Ptr<ns3::Queue<ns3::Packet>> Network::drop_tail_queue() {
  drop_tail_ = ns3::CreateObject<InclusiveDropTailQueue>();
  drop_tail_->SetMaxSize(packets(point_.bottleneck.buffer_packets));
  drop_tail_->TraceConnectWithoutContext("Present", ns3::MakeCallback(&Network::queue_changed, this));
  drop_tail_->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Network::dropped, this));
  return drop_tail_;
}

ns3::Ptr<ns3::Queue<ns3::Packet>> Network::fair_queue() {
  const auto disc = ns3::CreateObject<FairQueueDisc>();
  disc->SetMaxSize(packets(point_.bottleneck.buffer_packets));
  disc->SetAttribute("Shared",
                     ns3::BooleanValue(point_.bottleneck.queue == kit::Bottleneck::Queue::kFairShared));
  disc->TraceConnectWithoutContext("Present", ns3::MakeCallback(&Network::queue_changed, this));
  disc->TraceConnectWithoutContext(
      "Drop", ns3::Callback<void, ns3::Ptr<const ns3::QueueDiscItem>>(
                  [this](ns3::Ptr<const ns3::QueueDiscItem> item) { dropped(item->GetPacket()); }));
  const auto queue = ns3::CreateObject<DiscQueue>();
  queue->SetDisc(disc, DiscQueue::FlowOf([](ns3::Ptr<const ns3::Packet> frame) {
                   return header_of_frame(frame).GetSource();
                 }));
  return queue;
}

void Network::queue_changed(std::uint32_t before, std::uint32_t present) {
  monitor_.queue_changed(present, now());
  if (present < before) {
    departed_ = now();
  }
}

void Network::build_flow(std::uint32_t source) {
  Flow& flow = flows_[source];
  const auto sending_node = ns3::CreateObject<ns3::Node>();
  const auto receiving_node = ns3::CreateObject<ns3::Node>();
  const auto [access, access_end] =
      connect(sending_node, entry_, whole_rate(group(source).access, "sources.access"),
              time(group(source).access.delay_s), endless_queue());
  const auto [egress, egress_end] = connect(exit_, receiving_node, whole_rate(point_.egress, "links.egress"),
                                            time(point_.egress.delay_s), endless_queue());
  const auto [back, back_end] =
      connect(receiving_node, sending_node, kNoTransmissionTime, return_delay(source), endless_queue());
  flow.egress = egress;
  access->TraceConnectWithoutContext("PhyTxBegin", ns3::MakeCallback(&tag_when_it_began));
  access_end->SetReceiveCallback(ns3::MakeCallback(&Network::at_bottleneck, this));

  flow.sender = sender_of(group(source).tcp);
  flow.sender->SetAttribute("Source", ns3::UintegerValue(source));
  flow.sender->SetAttribute("PacketSize", ns3::UintegerValue(packet_bytes()));
  flow.sender->SetTransmit(
      ns3::Callback<void, ns3::Ptr<ns3::Packet>>([this, access](ns3::Ptr<ns3::Packet> packet) {
        ++counters_.packets_sent;
        send_on(access, packet);
      }));

  flow.receiver = ns3::CreateObject<PacketTcpReceiver>();
  flow.receiver->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>(
      [back](ns3::Ptr<ns3::Packet> acknowledgement) { send_on(back, acknowledgement); }));
  egress_end->SetReceiveCallback(ns3::NetDevice::ReceiveCallback(
      [this, &flow](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                    const ns3::Address&) {
        delivered(packet);
        flow.receiver->Receive(packet->Copy());
        return true;
      }));
  back_end->SetReceiveCallback(ns3::NetDevice::ReceiveCallback(
      [this, &flow](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                    const ns3::Address&) {
        if (!draining_) {
          flow.sender->ReceiveAck(packet->Copy());
        }
        return true;
      }));
}

std::uint32_t Network::packet_bytes() const {
  if (point_.packet_bytes < kLeastPacket || point_.packet_bytes > kLargestPacket) {
    throw kit::Unsupported("packet_bytes: has to be from 22 to 536870911 for ns3");
  }
  return static_cast<std::uint32_t>(point_.packet_bytes) - kFramingBytes;
}

void Network::wait_for_cross_traffic() {
  if (cross_traffic_.next() != kit::kNever) {
    ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(cross_traffic_.next() - now())),
                             &Network::cross_traffic_arrives, this);
  }
}

void Network::cross_traffic_arrives() {
  if (draining_) {
    return;
  }
  const auto packet = ns3::Create<ns3::Packet>(packet_bytes() - SegmentHeader::kBytes);
  packet->AddHeader(SegmentHeader(kCrossTraffic, 0, 0));
  ns3::Simulator::ScheduleNow(&Network::queue_up, this, packet);
  cross_traffic_.advance();
  wait_for_cross_traffic();
}

// An event of its own at the same time comes after every departure of that time, all of which are scheduled
// earlier. So what the tie rule has to say is known when the arrival is handled, and not before.
bool Network::at_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                            const ns3::Address&) {
  ns3::Simulator::ScheduleNow(&Network::queue_up, this, packet->Copy());
  return true;
}

std::uint32_t Network::still_leaving() {
  if (departed_ == now() && ties_.departure_first()) {
    departed_ = kit::kNever;
  }
  return departed_ == now() ? 1 : 0;
}

void Network::queue_up(ns3::Ptr<ns3::Packet> packet) {
  const SegmentHeader header = header_of(packet);
  const std::uint32_t leaving = still_leaving();
  const std::size_t found = monitor_.present() + leaving;
  monitor_.packet_arrived(found);
  if (header.GetSource() == kCrossTraffic) {
    ++sums_.cross_arrived;
  } else if (!draining_) {
    watcher_.arrived(header, found);
  }
  if (drop_tail_ != nullptr) {
    drop_tail_->SetLeaving(leaving);
  }
  count_from(packet, draining_ ? PathTag::kTooLate : now());
  send_on(bottleneck_, packet);
}

void Network::dropped(ns3::Ptr<const ns3::Packet> frame) {
  const SegmentHeader header = header_of_frame(frame);
  monitor_.packet_dropped();
  if (header.GetSource() == kCrossTraffic) {
    ++sums_.cross_dropped;
    return;
  }
  ++counters_.packets_dropped;
  if (!draining_) {
    watcher_.dropped(header);
  }
}

// Random losses are those of the sources: what becomes of cross traffic is of no consequence here.
bool Network::behind_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                                const ns3::Address&) {
  const std::uint32_t source = header_of(packet).GetSource();
  if (source == kCrossTraffic) {
    return true;
  }
  const auto carried = packet->Copy();
  if (!is_drop_tail(point_)) {
    const Picoseconds left = now() - kit::picoseconds(point_.bottleneck.delay_s);
    count_from(carried, left > end_ ? PathTag::kTooLate : left);
  }
  const double probability = point_.bottleneck.loss_probability;
  if (probability > 0 && loss_random_.uniform() <= probability) {
    ++counters_.packets_lost;
    PathTag tag;
    carried->PeekPacketTag(tag);
    random_losses_ += is_measured(tag);
    return true;
  }
  send_on(flows_[source].egress, carried);
  return true;
}

// Of what happens at the instant of the restart, a departure from a fair queue comes first.
bool Network::is_measured(const PathTag& tag) const {
  return tag.counted >= restarted_ + (is_drop_tail(point_) ? 0 : 1);
}

const kit::SourceGroup& Network::group(std::uint32_t source) const {
  return point_.groups[groups_.group_of(static_cast<std::int32_t>(source))];
}

ns3::Time Network::return_delay(std::uint32_t source) const {
  return time(point_.return_delay_s) + time(group(source).extra_delay_s);
}

void Network::delivered(ns3::Ptr<const ns3::Packet> packet) {
  ++counters_.packets_delivered;
  PathTag tag;
  packet->PeekPacketTag(tag);
  if (is_measured(tag)) {
    ++sums_.carried;
    const std::uint32_t source = header_of(packet).GetSource();
    const Picoseconds round_trip = now() - tag.began + return_delay(source).GetTimeStep();
    sums_.round_trip_ps += static_cast<double>(round_trip);
    groups_.count_carried(static_cast<std::int32_t>(source), round_trip);
  }
}

void Network::restart_measurements() {
  restarted_ = now();
  sums_ = {};
  random_losses_ = 0;
  groups_.restart();
  monitor_.restart(now());
}

kit::Measurements Network::close() {
  kit::Measurements result;
  result.end = now();
  result.measured = now() - restarted_;
  result.counters = counters_;
  result.counters.events = static_cast<std::int64_t>(ns3::Simulator::GetEventCount());
  result.packets = sums_;
  monitor_.write_to(result, now());
  result.counters.packets_in_flight = drain();
  // Some of what the bottleneck had accepted until then was still to be delivered.
  result.packets.carried = sums_.carried;
  result.packets.round_trip_ps = sums_.round_trip_ps;
  result.random_losses = random_losses_;
  if (point_.groups.size() > 1) {
    result.groups = groups_.measurements();
    result.acknowledged = groups_.acknowledged();
  }
  return result;
}

std::int64_t Network::drain() {
  draining_ = true;
  end_ = now();
  for (const Flow& flow : flows_) {
    flow.sender->Dispose();
  }
  const auto gone = [this] {
    return counters_.packets_delivered + counters_.packets_dropped + counters_.packets_lost;
  };
  const std::int64_t before = gone();
  ns3::Simulator::Run();
  return gone() - before;
}

}  // namespace tcp_atlas
