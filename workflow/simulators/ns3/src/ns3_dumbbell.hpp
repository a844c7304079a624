// SPDX-License-Identifier: GPL-2.0-only
// The dumbbell of Zaragoza 2014, figure 4, made of ns-3's nodes, point-to-point devices and channels: an
// access link for every source, the bottleneck, an egress link for every receiver, and a path of pure delay
// back.
#pragma once

#include <cstdint>
#include <vector>

#include "bottleneck_monitor.hpp"
#include "distributions.hpp"
#include "measurements.hpp"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "point.hpp"
#include "queue/inclusive_drop_tail_queue.hpp"
#include "random.hpp"
#include "simulate.hpp"
#include "tcp/packet_tcp_receiver.hpp"
#include "tcp/packet_tcp_sender.hpp"

namespace tcp_atlas {

// File sizes, OFF times and random losses are drawn as packetsim draws them, in the same order: with the same
// seed both engines are given the same traffic. All that happens to it is ns-3's and ours.
class Dumbbell {
 public:
  // Throws packetsim::Unsupported. Sets ns-3's time resolution to a picosecond, once for the process.
  Dumbbell(const packetsim::Point& point, std::uint64_t seed);
  ~Dumbbell();
  Dumbbell(const Dumbbell&) = delete;
  Dumbbell& operator=(const Dumbbell&) = delete;

  // From the start with every source OFF until the connections asked for are completed; the warm-up is left
  // out of all but the counters.
  packetsim::Measurements run(const packetsim::Progress& progress = {});

  PacketTcpSender& sender(std::size_t source) { return *flows_[source].sender; }

 private:
  struct Flow {
    ns3::Ptr<PacketTcpSender> sender;
    ns3::Ptr<PacketTcpReceiver> receiver;
    ns3::Ptr<ns3::NetDevice> egress;
    packetsim::Picoseconds started = 0;
  };
  using Device = ns3::Ptr<ns3::PointToPointNetDevice>;

  // Silences the senders and counts the packets that still come out, so that the conservation of packets is a
  // check and not a definition.
  std::int64_t drain();

  void build_bottleneck(std::uint64_t seed);
  void build_flow(std::uint32_t source);

  void wait_off_time(std::uint32_t source);
  void start_transfer(std::uint32_t source);
  void transfer_completed(std::uint32_t source, std::uint32_t packets);

  bool at_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                     const ns3::Address&);
  void queue_up(ns3::Ptr<ns3::Packet> packet);
  bool behind_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                         const ns3::Address&);

  packetsim::Point point_;
  packetsim::FileSizeSampler file_sizes_;
  packetsim::Random file_size_random_;
  packetsim::Random off_time_random_;
  BottleneckMonitor monitor_;
  packetsim::Counters counters_;
  packetsim::ConnectionSums sums_;
  packetsim::Progress progress_;
  bool draining_ = false;

  ns3::Ptr<ns3::Node> entry_;
  ns3::Ptr<ns3::Node> exit_;
  Device bottleneck_;
  ns3::Ptr<InclusiveDropTailQueue> queue_;
  std::vector<Flow> flows_;
};

}  // namespace tcp_atlas
