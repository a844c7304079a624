// SPDX-License-Identifier: GPL-2.0-only
#include "ns3_dumbbell.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "link_loss.hpp"
#include "ns3/drop-tail-queue.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "tcp/packet_newreno.hpp"
#include "tcp/packet_tahoe.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {
namespace {

using packetsim::Picoseconds;

constexpr std::uint32_t kFramingBytes = 2;  // of a point-to-point device
constexpr std::uint16_t kProtocol =
    0x0800;  // it carries IPv4 and IPv6 only; which one is of no consequence here
constexpr std::uint64_t kNoTransmissionTime =
    1'000'000'000'000'000'000;  // bit/s: under a picosecond a packet
constexpr std::int64_t kProgressReports = 20;

Picoseconds now() { return ns3::Simulator::Now().GetTimeStep(); }

ns3::Time time(double seconds) {
  return ns3::PicoSeconds(static_cast<std::uint64_t>(packetsim::picoseconds(seconds)));
}

void use_picoseconds() {
  static const bool done = [] {
    ns3::Time::SetResolution(ns3::Time::PS);
    return true;
  }();
  static_cast<void>(done);
}

// What a point may ask for and this engine does not do.
void refuse_unknown(const packetsim::Point& point) {
  if (point.bulk) {
    throw packetsim::Unsupported("sources.workload.kind: ns3 knows on-off only");
  }
  if (point.stop_connections == 0) {
    throw packetsim::Unsupported("stop: ns3 stops after a number of connections only");
  }
  if (point.tcp.clock_tick_s > 0) {
    throw packetsim::Unsupported("tcp.clock_tick_s: ns3 knows a continuous clock only, 0");
  }
  if (point.cross_traffic.kind != packetsim::CrossTrafficSpec::Kind::kNone) {
    throw packetsim::Unsupported("cross_traffic: ns3 knows none");
  }
  if (point.packet_bytes < static_cast<std::int32_t>(kFramingBytes + SegmentHeader::kBytes)) {
    throw packetsim::Unsupported("packet_bytes: is less than ns3's headers; at least " +
                                 std::to_string(kFramingBytes + SegmentHeader::kBytes));
  }
}

ns3::Ptr<PacketTcpSender> sender_of(packetsim::Tcp::Variant variant) {
  switch (variant) {
    case packetsim::Tcp::Variant::kNewReno:
      return ns3::CreateObject<PacketNewReno>();
    case packetsim::Tcp::Variant::kTahoe:
      return ns3::CreateObject<PacketTahoe>();
    default:
      throw packetsim::Unsupported("tcp.variant: ns3 knows newreno and tahoe");
  }
}

std::uint64_t whole_rate(const packetsim::Link& link, const char* name) {
  if (std::floor(link.rate_bit_per_s) != link.rate_bit_per_s || link.rate_bit_per_s >= 1e18) {
    throw packetsim::Unsupported("links." + std::string(name) +
                                 ".rate_bit_per_s: ns3 takes whole bits per second only, below 1e18");
  }
  return static_cast<std::uint64_t>(link.rate_bit_per_s);
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

}  // namespace

Dumbbell::Dumbbell(const packetsim::Point& point, std::uint64_t seed)
    : point_(point),
      file_sizes_(point.file_size),
      file_size_random_(seed, packetsim::Stream::kFileSize),
      off_time_random_(seed, packetsim::Stream::kOffTime),
      monitor_(static_cast<std::size_t>(point.source_count),
               static_cast<std::size_t>(point.bottleneck.buffer_packets)),
      flows_(static_cast<std::size_t>(point.source_count)) {
  refuse_unknown(point);
  use_picoseconds();
  build_bottleneck(seed);
  for (std::uint32_t source = 0; source < flows_.size(); ++source) {
    build_flow(source);
    wait_off_time(source);
  }
}

Dumbbell::~Dumbbell() { ns3::Simulator::Destroy(); }

void Dumbbell::build_bottleneck(std::uint64_t seed) {
  entry_ = ns3::CreateObject<ns3::Node>();
  exit_ = ns3::CreateObject<ns3::Node>();
  queue_ = ns3::CreateObject<InclusiveDropTailQueue>();
  queue_->SetMaxSize(
      ns3::QueueSize(ns3::PACKETS, static_cast<std::uint32_t>(point_.bottleneck.buffer_packets)));
  queue_->TraceConnectWithoutContext("Present", ns3::Callback<void, std::uint32_t, std::uint32_t>(
                                                    [this](std::uint32_t, std::uint32_t present) {
                                                      monitor_.queue_changed(present, now());
                                                    }));
  const auto [sending, receiving] = connect(entry_, exit_, whole_rate(point_.bottleneck, "bottleneck"),
                                            time(point_.bottleneck.delay_s), queue_);
  bottleneck_ = sending;
  receiving->SetReceiveCallback(ns3::MakeCallback(&Dumbbell::behind_bottleneck, this));
  if (point_.bottleneck.loss_probability > 0) {
    receiving->SetReceiveErrorModel(ns3::Create<LinkLoss>(point_.bottleneck.loss_probability, seed));
    receiving->TraceConnectWithoutContext(
        "PhyRxDrop", ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(
                         [this](ns3::Ptr<const ns3::Packet>) { ++counters_.packets_lost; }));
  }
}

void Dumbbell::build_flow(std::uint32_t source) {
  Flow& flow = flows_[source];
  const auto sending_node = ns3::CreateObject<ns3::Node>();
  const auto receiving_node = ns3::CreateObject<ns3::Node>();
  const auto [access, access_end] = connect(sending_node, entry_, whole_rate(point_.access, "access"),
                                            time(point_.access.delay_s), endless_queue());
  const auto [egress, egress_end] = connect(exit_, receiving_node, whole_rate(point_.egress, "egress"),
                                            time(point_.egress.delay_s), endless_queue());
  const auto [back, back_end] = connect(receiving_node, sending_node, kNoTransmissionTime,
                                        time(point_.return_delay_s), endless_queue());
  flow.egress = egress;
  access_end->SetReceiveCallback(ns3::MakeCallback(&Dumbbell::at_bottleneck, this));

  flow.sender = sender_of(point_.tcp.variant);
  flow.sender->SetAttribute("Source", ns3::UintegerValue(source));
  flow.sender->SetAttribute("ReceiverWindow",
                            ns3::UintegerValue(static_cast<std::uint64_t>(point_.tcp.rwnd_packets)));
  flow.sender->SetAttribute(
      "InitialWindow", ns3::UintegerValue(static_cast<std::uint64_t>(point_.tcp.initial_window_packets)));
  flow.sender->SetAttribute(
      "PacketSize", ns3::UintegerValue(static_cast<std::uint64_t>(point_.packet_bytes) - kFramingBytes));
  flow.sender->SetAttribute("MinRto", ns3::TimeValue(time(point_.tcp.min_rto_s)));
  flow.sender->SetAttribute("MaxRto", ns3::TimeValue(time(point_.tcp.max_rto_s)));
  flow.sender->SetTransmit(
      ns3::Callback<void, ns3::Ptr<ns3::Packet>>([this, access](ns3::Ptr<ns3::Packet> packet) {
        ++counters_.packets_sent;
        send_on(access, packet);
      }));
  flow.sender->TraceConnectWithoutContext("RoundTrip",
                                          ns3::Callback<void, ns3::Time>([this](ns3::Time sample) {
                                            ++sums_.rtt_samples;
                                            sums_.rtt_s += packetsim::seconds(sample.GetTimeStep());
                                          }));
  flow.sender->TraceConnectWithoutContext(
      "Completed", ns3::Callback<void, std::uint32_t>(
                       [this, source](std::uint32_t packets) { transfer_completed(source, packets); }));

  flow.receiver = ns3::CreateObject<PacketTcpReceiver>();
  flow.receiver->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>(
      [back](ns3::Ptr<ns3::Packet> acknowledgement) { send_on(back, acknowledgement); }));
  egress_end->SetReceiveCallback(ns3::NetDevice::ReceiveCallback(
      [this, &flow](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                    const ns3::Address&) {
        ++counters_.packets_delivered;
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

void Dumbbell::wait_off_time(std::uint32_t source) {
  const auto off_time = packetsim::draw_off_time(point_.off_time, off_time_random_);
  ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(off_time)), &Dumbbell::start_transfer,
                           this, source);
}

void Dumbbell::start_transfer(std::uint32_t source) {
  if (draining_) {
    return;
  }
  flows_[source].started = now();
  flows_[source].sender->StartTransfer(static_cast<std::uint32_t>(file_sizes_.draw(file_size_random_)));
}

void Dumbbell::transfer_completed(std::uint32_t source, std::uint32_t packets) {
  ++sums_.connections;
  sums_.packets += packets;
  sums_.duration += now() - flows_[source].started;
  monitor_.transfer_completed(now());
  const std::int64_t completed = ++counters_.connections_completed - point_.warmup_connections;
  if (completed == 0) {
    sums_ = {};
    monitor_.restart(now());
  }
  if (progress_ && completed > 0 &&
      completed * kProgressReports / point_.stop_connections !=
          (completed - 1) * kProgressReports / point_.stop_connections) {
    progress_(completed, point_.stop_connections);
  }
  if (completed == point_.stop_connections) {
    ns3::Simulator::Stop();
  } else {
    wait_off_time(source);
  }
}

// An event of its own at the same time lets a departure that falls together with this arrival come first
// (Zaragoza 2014, section 4.2).
bool Dumbbell::at_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                             const ns3::Address&) {
  ns3::Simulator::ScheduleNow(&Dumbbell::queue_up, this, packet->Copy());
  return true;
}

void Dumbbell::queue_up(ns3::Ptr<ns3::Packet> packet) {
  const SegmentHeader header = header_of(packet);
  monitor_.packet_arrived(header.GetSource(), header.GetTransfer(), queue_->GetPresent(), now());
  if (!bottleneck_->Send(packet, bottleneck_->GetBroadcast(), kProtocol)) {
    ++counters_.packets_dropped;
  }
}

bool Dumbbell::behind_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                                 const ns3::Address&) {
  send_on(flows_[header_of(packet).GetSource()].egress, packet->Copy());
  return true;
}

packetsim::Measurements Dumbbell::run(const packetsim::Progress& progress) {
  progress_ = progress;
  ns3::Simulator::Run();
  packetsim::Measurements result;
  result.end = now();
  result.counters = counters_;
  result.connections = sums_;
  result.counters.events = static_cast<std::int64_t>(ns3::Simulator::GetEventCount());
  monitor_.write_to(result, now());
  result.counters.packets_in_flight = drain();
  return result;
}

std::int64_t Dumbbell::drain() {
  draining_ = true;
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
