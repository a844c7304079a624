// SPDX-License-Identifier: GPL-2.0-only
#include "network.hpp"

#include "kit/main/clock.hpp"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "variants.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;

constexpr std::uint32_t kCrossTraffic = UINT32_MAX;  // as a source

bool is_drop_tail(const kit::Bottleneck& bottleneck) { return bottleneck.queue == kit::Queue::kDropTail; }

// The longest queue that is sure to be reported, whether it is reached or not.
std::size_t reported_queue(const kit::Bottleneck& bottleneck) {
  return is_drop_tail(bottleneck) ? static_cast<std::size_t>(bottleneck.buffer_packets) : 0;
}

}  // namespace

Network::Network(const kit::Point& point, std::uint64_t seed, PacketWatcher& watcher)
    : point_(point),
      watcher_(watcher),
      topology_(topology_of(point)),
      shared_(topology_->shared()),
      cross_traffic_(point.cross_traffic, point.packet_bytes, seed),
      losses_(shared_, seed),
      ties_(shared_.ties, seed),
      groups_(point),
      monitor_(static_cast<std::size_t>(point.source_count()), reported_queue(shared_)),
      flows_(static_cast<std::size_t>(point.source_count())) {
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
  const auto [sending, receiving] =
      connect(topology_->entry(), topology_->exit(),
              whole_rate(shared_.rate_bit_per_s, topology_->shared_name()), time(shared_.delay_s), queue());
  bottleneck_ = sending;
  receiving->SetReceiveCallback(ns3::MakeCallback(&Network::behind_bottleneck, this));
}

DeviceQueue Network::queue() {
  const QueueWatcher watcher{ns3::MakeCallback(&Network::queue_changed, this),
                             ns3::MakeCallback(&Network::dropped, this)};
  if (is_drop_tail(shared_)) {
    drop_tail_ = drop_tail_queue(shared_.buffer_packets, watcher);
    return drop_tail_;
  }
  const bool one_buffer = shared_.queue == kit::Queue::kFairShared;
  if (!one_buffer && shared_.queue != kit::Queue::kFairIndividual) {
    throw kit::Unsupported(topology_->shared_name() +
                           ".queue: one of drop-tail, fair-individual, fair-shared for ns3");
  }
  return fair_queue(shared_.buffer_packets, one_buffer, watcher);
}

void Network::queue_changed(std::uint32_t before, std::uint32_t present) {
  monitor_.queue_changed(present, now());
  if (present < before) {
    departed_ = now();
  }
}

void Network::build_flow(std::uint32_t source) {
  Flow& flow = flows_[source];
  // An event of its own at the same time comes after every departure of that time, all of which are scheduled
  // earlier. So what the tie rule has to say is known when the arrival is handled, and not before.
  const Device first = topology_->to_shared(source, [this](const Packet& packet) {
    ns3::Simulator::ScheduleNow(&Network::queue_up, this, packet);
  });
  first->TraceConnectWithoutContext("PhyTxBegin", ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(
                                                      [this, source](ns3::Ptr<const ns3::Packet> packet) {
                                                        tag_when_it_began(packet);
                                                        watcher_.packet_transmitted(source);
                                                      }));
  flow.from_bottleneck =
      topology_->from_shared(source, [this, source](const Packet& packet) { delivered(source, packet); });
  const Hop back = topology_->back(source, return_delay(source), [this, &flow](const Packet& packet) {
    if (!draining_) {
      flow.sender->ReceiveAck(packet);
    }
  });

  const kit::Tcp& tcp = group(source).tcp;
  flow.sender = sender_of(tcp);
  flow.sender->SetAttribute("Source", ns3::UintegerValue(source));
  flow.sender->SetAttribute("PacketSize", ns3::UintegerValue(bytes_in_device(point_.packet_bytes)));
  flow.sender->SetTransmit(ns3::Callback<void, Packet>([this, source, first](const Packet& packet) {
    ++counters_.packets_sent;
    watcher_.packet_sent(source);
    send_on(first, packet);
  }));
  flow.receiver = receiver_of(tcp);
  flow.receiver->SetTransmit(ns3::Callback<void, Packet>(back));
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
    watcher_.packet_arrived(header, found);
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
    watcher_.packet_dropped(header);
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
  const Picoseconds left = now() - kit::picoseconds(shared_.delay_s);
  if (!is_drop_tail(shared_)) {
    count_from(carried, left > end_ ? PathTag::kTooLate : left);
  }
  if (losses_.loses(left)) {
    ++counters_.packets_lost;
    PathTag tag;
    carried->PeekPacketTag(tag);
    random_losses_ += is_measured(tag);
    return true;
  }
  flows_[source].from_bottleneck(carried);
  return true;
}

// Of what happens at the instant of the restart, a departure from a fair queue comes first.
bool Network::is_measured(const PathTag& tag) const {
  return tag.counted >= restarted_ + (is_drop_tail(shared_) ? 0 : 1);
}

const kit::SourceGroup& Network::group(std::uint32_t source) const {
  return point_.groups[groups_.group_of(static_cast<std::int32_t>(source))];
}

ns3::Time Network::return_delay(std::uint32_t source) const {
  return time(point_.return_delay_s) + time(group(source).extra_delay_s);
}

void Network::delivered(std::uint32_t source, const Packet& packet) {
  ++counters_.packets_delivered;
  PathTag tag;
  packet->PeekPacketTag(tag);
  const bool first = flows_[source].receiver->Receive(packet);
  const Picoseconds round_trip = now() - tag.began + return_delay(source).GetTimeStep();
  const bool measured = is_measured(tag);
  if (measured) {
    ++sums_.carried;
    sums_.round_trip_ps += static_cast<double>(round_trip);
    groups_.count_carried(static_cast<std::int32_t>(source), round_trip);
  }
  if (tag.counted != PathTag::kTooLate) {
    watcher_.packet_delivered(source, {.first = first, .measured = measured, .round_trip = round_trip});
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

std::int64_t Network::gone() const {
  return counters_.packets_delivered + counters_.packets_dropped + counters_.packets_lost;
}

std::int64_t Network::drain() {
  draining_ = true;
  end_ = now();
  for (const Flow& flow : flows_) {
    flow.sender->Dispose();
  }
  const std::int64_t before = gone();
  ns3::Simulator::Run();
  return gone() - before;
}

}  // namespace tcp_atlas
