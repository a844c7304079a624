// SPDX-License-Identifier: GPL-2.0-only
#include "simulation.hpp"

#include <utility>
#include <variant>

#include "kit/random/distributions.hpp"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "queue/aqm.hpp"

namespace ns3_tcp {
namespace {

using kit::Picoseconds;
using tcp_atlas::Device;
using tcp_atlas::now;

constexpr std::uint64_t kNoTransmissionTime = 100'000'000'000'000'000;  // bit/s, ns-3's highest

// Loses the packets that the link's loss process picks.
class AskedErrorModel : public ns3::ErrorModel {
 public:
  explicit AskedErrorModel(ns3::Callback<bool, ns3::Ptr<const ns3::Packet>> loses) : loses_(loses) {}
  static ns3::TypeId GetTypeId() {
    static const ns3::TypeId id = ns3::TypeId("ns3_tcp::AskedErrorModel").SetParent<ns3::ErrorModel>();
    return id;
  }

 private:
  bool DoCorrupt(ns3::Ptr<ns3::Packet> packet) override { return loses_(packet); }
  void DoReset() override {}

  ns3::Callback<bool, ns3::Ptr<const ns3::Packet>> loses_;
};

bool is_data(ns3::Ptr<const ns3::Packet> frame, DataTag& tag) { return frame->PeekPacketTag(tag); }

const kit::Dumbbell& links_of(const kit::Point& point) {
  if (!std::holds_alternative<kit::Dumbbell>(point.topology)) {
    throw kit::Unsupported("kind: has to be dumbbell for ns-3's own TCP");
  }
  if (point.dumbbell().bottleneck.varies() || point.probes.any() || !point.all_bulk() ||
      point.stop.duration_s <= 0 || point.cross_traffic.kind != kit::CrossTrafficSpec::Kind::kNone) {
    throw kit::Unsupported(
        "ns-3's own TCP: bulk transfers for a duration, without cross traffic, probes and rates that vary");
  }
  return point.dumbbell();
}

tcp_atlas::DeviceQueue queue_of(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes,
                                const tcp_atlas::QueueWatcher& watcher) {
  if (bottleneck.queue == kit::Queue::kDropTail) {
    return tcp_atlas::drop_tail_queue(bottleneck.buffer_packets, watcher);
  }
  if (!tcp_atlas::is_managed(bottleneck)) {
    throw kit::Unsupported(
        "links.bottleneck.queue: one of codel, drop-tail, fq-codel, pie for ns-3's own TCP");
  }
  return tcp_atlas::managed_queue(bottleneck, packet_bytes, watcher,
                                  tcp_atlas::ManagedQueue::FlowOf([](ns3::Ptr<const ns3::Packet> frame) {
                                    DataTag tag;
                                    is_data(frame, tag);
                                    return tag.flow;
                                  }));
}

// Addresses of both ends of a link, in a network of its own.
ns3::Ipv4InterfaceContainer address(std::pair<Device, Device> ends, std::int32_t packet_bytes) {
  static ns3::Ipv4AddressHelper networks("10.0.0.0", "255.255.255.252");
  ns3::NetDeviceContainer devices;
  for (const Device& device : {ends.first, ends.second}) {
    device->SetMtu(static_cast<std::uint16_t>(packet_bytes));
    devices.Add(device);
  }
  const ns3::Ipv4InterfaceContainer result = networks.Assign(devices);
  networks.NewNetwork();
  return result;
}

void set_default_route(ns3::Ptr<ns3::Node> node, const ns3::Ipv4InterfaceContainer& link) {
  const auto [ip, interface] = link.Get(0);
  ns3::Ipv4StaticRoutingHelper()
      .GetStaticRouting(node->GetObject<ns3::Ipv4>())
      ->SetDefaultRoute(link.GetAddress(1), interface);
}

void install_internet(ns3::Ptr<ns3::Node> node) {
  ns3::InternetStackHelper stack;
  stack.SetIpv6StackInstall(false);
  stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
  stack.Install(node);
}

}  // namespace

Simulation::Simulation(const kit::Point& point, std::uint64_t seed)
    : point_(point),
      losses_(links_of(point).bottleneck, seed),
      groups_(point),
      monitor_(static_cast<std::size_t>(point.source_count()),
               static_cast<std::size_t>(point.dumbbell().bottleneck.buffer_packets)) {
  tcp_atlas::use_picoseconds();
  ns3::RngSeedManager::SetRun(seed);
  install_internet(entry_);
  install_internet(exit_);
  build_bottleneck();
  kit::Random start_random(seed, kit::Stream::kStart);
  for (std::uint32_t index = 0; index < static_cast<std::uint32_t>(point.source_count()); ++index) {
    build_flow(index);
    const Picoseconds start = kit::draw_start(group_of(index).workload.start_spread_s, start_random);
    ns3::Simulator::Schedule(tcp_atlas::time(start), &Flow::start, flows_.back().get());
  }
  acknowledged_before_.assign(flows_.size(), 0);
}

Simulation::~Simulation() { ns3::Simulator::Destroy(); }

const kit::SourceGroup& Simulation::group_of(std::uint32_t index) const {
  return point_.groups[groups_.group_of(static_cast<std::int32_t>(index))];
}

void Simulation::build_bottleneck() {
  const kit::Bottleneck& bottleneck = point_.dumbbell().bottleneck;
  const tcp_atlas::QueueWatcher watcher{
      ns3::Callback<void, std::uint32_t, std::uint32_t>(
          [this](std::uint32_t, std::uint32_t present) { monitor_.queue_changed(present, now()); }),
      ns3::MakeCallback(&Simulation::dropped, this)};
  const auto ends = tcp_atlas::connect(
      entry_, exit_, tcp_atlas::whole_rate(bottleneck.rate_bit_per_s, "links.bottleneck"),
      tcp_atlas::time(bottleneck.delay_s), queue_of(bottleneck, point_.packet_bytes, watcher));
  set_default_route(entry_, address(ends, point_.packet_bytes));
  ends.first->TraceConnectWithoutContext("MacTx", ns3::MakeCallback(&Simulation::arrived, this));
  ends.second->SetReceiveErrorModel(
      ns3::Create<AskedErrorModel>(ns3::MakeCallback(&Simulation::loses, this)));
}

void Simulation::build_flow(std::uint32_t index) {
  const kit::SourceGroup& group = group_of(index);
  const auto source = ns3::CreateObject<ns3::Node>();
  const auto sink = ns3::CreateObject<ns3::Node>();
  install_internet(source);
  install_internet(sink);
  const auto link = [this](ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, std::uint64_t rate,
                           ns3::Time delay) {
    return tcp_atlas::connect(from, to, rate, delay, tcp_atlas::endless_queue());
  };
  const kit::Link& egress = point_.dumbbell().egress;
  const auto in = link(source, entry_, tcp_atlas::whole_rate(group.access.rate_bit_per_s, "sources.access"),
                       tcp_atlas::time(group.access.delay_s));
  const auto out = link(exit_, sink, tcp_atlas::whole_rate(egress.rate_bit_per_s, "links.egress"),
                        tcp_atlas::time(egress.delay_s));
  return_delays_.push_back(kit::picoseconds(point_.return_delay_s) + kit::picoseconds(group.extra_delay_s));
  const auto back = link(sink, source, kNoTransmissionTime, tcp_atlas::time(return_delays_.back()));
  set_default_route(source, address(in, point_.packet_bytes));
  const ns3::Ipv4Address sink_address = address(out, point_.packet_bytes).GetAddress(1);
  set_default_route(sink, address(back, point_.packet_bytes));
  in.first->TraceConnectWithoutContext(
      "PhyTxBegin", ns3::Callback<void, Frame>([this, index](Frame frame) { began(index, frame); }));
  out.second->TraceConnectWithoutContext("PhyRxEnd", ns3::MakeCallback(&Simulation::delivered, this));
  flows_.push_back(std::make_unique<Flow>(group.tcp, point_.packet_bytes, source, sink, sink_address));
}

// Packets with data are as long as the point says; those of the handshake are not counted.
void Simulation::began(std::uint32_t index, Frame frame) {
  if (draining_ || frame->GetSize() != static_cast<std::uint32_t>(point_.packet_bytes)) {
    return;
  }
  DataTag tag;
  tag.flow = index;
  tag.began = now();
  frame->AddPacketTag(tag);
  ++counters_.packets_sent;
}

void Simulation::arrived(Frame /*frame*/) { monitor_.packet_arrived(monitor_.present()); }

void Simulation::dropped(Frame frame) {
  monitor_.packet_dropped();
  DataTag tag;
  counters_.packets_dropped += is_data(frame, tag) ? 1 : 0;
}

bool Simulation::loses(Frame frame) {
  DataTag tag;
  if (!is_data(frame, tag) || !losses_.loses()) {
    return false;
  }
  ++counters_.packets_lost;
  ++random_losses_;
  return true;
}

void Simulation::delivered(Frame frame) {
  DataTag tag;
  if (!is_data(frame, tag)) {
    return;
  }
  ++counters_.packets_delivered;
  if (tag.began < restarted_) {
    return;
  }
  const Picoseconds round_trip = now() - tag.began + return_delays_[tag.flow];
  ++sums_.carried;
  sums_.round_trip_ps += static_cast<double>(round_trip);
  groups_.count_carried(static_cast<std::int32_t>(tag.flow), round_trip);
}

void Simulation::warm_up_ended() {
  restarted_ = now();
  sums_ = {};
  random_losses_ = 0;
  groups_.restart();
  monitor_.restart(now());
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    acknowledged_before_[index] = flows_[index]->acknowledged();
  }
}

std::int64_t Simulation::gone() const {
  return counters_.packets_delivered + counters_.packets_dropped + counters_.packets_lost;
}

// Senders go on, but what they send from now on is not counted. It ends once all that was under way is out,
// or after as long as any queue can hold it.
std::int64_t Simulation::drain() {
  draining_ = true;
  const kit::Bottleneck& bottleneck = point_.dumbbell().bottleneck;
  const double queued_s = 8.0 * point_.packet_bytes * bottleneck.buffer_packets / bottleneck.rate_bit_per_s;
  const std::int64_t before = gone();
  const ns3::Time step = tcp_atlas::time(queued_s + bottleneck.delay_s + point_.dumbbell().egress.delay_s);
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps && gone() < counters_.packets_sent; ++i) {
    ns3::Simulator::Stop(step);
    ns3::Simulator::Run();
  }
  return gone() - before;
}

kit::Measurements Simulation::run(const kit::Progress& progress) {
  const auto run_for = [](Picoseconds duration) {
    if (duration > 0) {
      ns3::Simulator::Stop(tcp_atlas::time(duration));
      ns3::Simulator::Run();
    }
  };
  run_for(kit::picoseconds(point_.stop.warmup_s));
  warm_up_ended();
  kit::run_in_parts(kit::picoseconds(point_.stop.duration_s), progress,
                    [&](Picoseconds end) { run_for(restarted_ + end - now()); });
  kit::Measurements result;
  result.end = now();
  result.measured = now() - restarted_;
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    const std::int64_t packets = flows_[index]->acknowledged() - acknowledged_before_[index];
    sums_.acknowledged += packets;
    groups_.count_acknowledged(static_cast<std::int32_t>(index), static_cast<std::int32_t>(packets));
  }
  result.counters = counters_;
  result.counters.events = static_cast<std::int64_t>(ns3::Simulator::GetEventCount());
  monitor_.write_to(result, now());
  result.random_losses = random_losses_;
  result.counters.packets_in_flight = drain();
  // Some of what had been sent until then was still to be delivered.
  result.packets = sums_;
  if (point_.groups.size() > 1) {
    result.groups = groups_.measurements();
    result.acknowledged = groups_.acknowledged();
  }
  return result;
}

}  // namespace ns3_tcp
