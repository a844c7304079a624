// SPDX-License-Identifier: GPL-2.0-only
#include "network.hpp"

#include <utility>

#include "kit/main/clock.hpp"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "sender_of.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;

constexpr std::uint64_t kNoTransmissionTime =
    1'000'000'000'000'000'000;                       // bit/s: under a picosecond a packet
constexpr std::uint32_t kCrossTraffic = UINT32_MAX;  // as a source

bool is_drop_tail(const kit::Point& point) {
  return point.dumbbell().bottleneck.queue == kit::Bottleneck::Queue::kDropTail;
}

}  // namespace

Network::Network(const kit::Point& point, std::uint64_t seed, Watcher watcher)
    : point_(point),
      watcher_(std::move(watcher)),
      cross_traffic_(point.cross_traffic, point.packet_bytes, seed),
      loss_random_(seed, kit::Stream::kLinkLoss),
      ties_(point.dumbbell().bottleneck.ties, seed),
      groups_(point),
      monitor_(
          static_cast<std::size_t>(point.source_count()),
          is_drop_tail(point) ? static_cast<std::size_t>(point.dumbbell().bottleneck.buffer_packets) : 0),
      flows_(static_cast<std::size_t>(point.source_count())) {
  use_picoseconds();
  build_bottleneck();
  for (std::uint32_t source = 0; source < flows_.size(); ++source) {
    build_flow(source);
  }
  wait_for_cross_traffic();
  ns3::Simulator::Schedule(time(kit::kClockEnd), [this] {
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
      connect(entry_, exit_, whole_rate(point_.dumbbell().bottleneck.rate_bit_per_s, "links.bottleneck"),
              time(point_.dumbbell().bottleneck.delay_s), queue());
  bottleneck_ = sending;
  receiving->SetReceiveCallback(ns3::MakeCallback(&Network::behind_bottleneck, this));
}

DeviceQueue Network::queue() {
  const QueueWatcher watcher{ns3::MakeCallback(&Network::queue_changed, this),
                             ns3::MakeCallback(&Network::dropped, this)};
  const std::int32_t buffer = point_.dumbbell().bottleneck.buffer_packets;
  if (is_drop_tail(point_)) {
    drop_tail_ = drop_tail_queue(buffer, watcher);
    return drop_tail_;
  }
  return fair_queue(buffer, point_.dumbbell().bottleneck.queue == kit::Bottleneck::Queue::kFairShared,
                    watcher);
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
      connect(sending_node, entry_, whole_rate(group(source).access.rate_bit_per_s, "sources.access"),
              time(group(source).access.delay_s), endless_queue());
  const auto [egress, egress_end] =
      connect(exit_, receiving_node, whole_rate(point_.dumbbell().egress.rate_bit_per_s, "links.egress"),
              time(point_.dumbbell().egress.delay_s), endless_queue());
  const auto [back, back_end] =
      connect(receiving_node, sending_node, kNoTransmissionTime, return_delay(source), endless_queue());
  flow.egress = egress;
  access->TraceConnectWithoutContext("PhyTxBegin", ns3::MakeCallback(&tag_when_it_began));
  access_end->SetReceiveCallback(ns3::MakeCallback(&Network::at_bottleneck, this));

  flow.sender = sender_of(group(source).tcp);
  flow.sender->SetAttribute("Source", ns3::UintegerValue(source));
  flow.sender->SetAttribute("PacketSize", ns3::UintegerValue(bytes_in_device(point_.packet_bytes)));
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

void Network::wait_for_cross_traffic() {
  if (cross_traffic_.next() != kit::kNever) {
    ns3::Simulator::Schedule(time(cross_traffic_.next() - now()), &Network::cross_traffic_arrives, this);
  }
}

void Network::cross_traffic_arrives() {
  if (draining_) {
    return;
  }
  const auto packet = ns3::Create<ns3::Packet>(bytes_in_device(point_.packet_bytes) - SegmentHeader::kBytes);
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
    const Picoseconds left = now() - kit::picoseconds(point_.dumbbell().bottleneck.delay_s);
    count_from(carried, left > end_ ? PathTag::kTooLate : left);
  }
  const double probability = point_.dumbbell().bottleneck.loss_probability;
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
