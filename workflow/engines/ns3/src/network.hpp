// SPDX-License-Identifier: GPL-2.0-only
// Sources and receivers on a topology made of ns-3's nodes, point-to-point devices and channels, and the
// bottleneck that all share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bottleneck_monitor.hpp"
#include "kit/main/group_counts.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/random/cross_traffic.hpp"
#include "kit/random/loss_process.hpp"
#include "kit/random/tie_rule.hpp"
#include "links.hpp"
#include "path_tag.hpp"
#include "tcp/packet_sender.hpp"
#include "tcp/packet_tcp_receiver.hpp"
#include "tcp/segment_header.hpp"
#include "topology/topology.hpp"

namespace tcp_atlas {

// Who is told of the sources' packets.
class PacketWatcher {
 public:
  // It goes to its first link.
  virtual void packet_sent(std::uint32_t source) = 0;
  // The first link begins with it.
  virtual void packet_transmitted(std::uint32_t source) = 0;
  // It reaches the bottleneck and finds so many there.
  virtual void packet_arrived(const SegmentHeader& packet, std::size_t found) = 0;
  // The full buffer has no place for it.
  virtual void packet_dropped(const SegmentHeader& packet) = 0;
  struct Delivery {
    bool first;                   // it had not come before
    bool measured;                // it is one of those that are measured
    kit::Picoseconds round_trip;  // from its transmission to when an acknowledgement would be back
  };
  // The bottleneck let it pass before the measurements ended.
  virtual void packet_delivered(std::uint32_t source, const Delivery& delivery) = 0;

 protected:
  ~PacketWatcher() = default;
};

// Links, senders and receivers, cross traffic, and what is measured of them whatever the workload. Random
// losses and the times of the cross traffic are drawn as packetsim draws them, in the same order.
class Network {
 public:
  // Throws kit::Unsupported.
  Network(const kit::Point& point, std::uint64_t seed, PacketWatcher& watcher);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  PacketSender& sender(std::size_t source) { return *flows_[source].sender; }
  BottleneckMonitor& monitor() { return monitor_; }
  kit::GroupCounts& groups() { return groups_; }

  // Forgets what was measured, counters apart.
  void restart_measurements();

  // What was measured until now. Then silences the senders and lets out what is under way, which ends the
  // simulation.
  kit::Measurements close();

 private:
  struct Flow {
    ns3::Ptr<PacketSender> sender;
    ns3::Ptr<PacketTcpReceiver> receiver;
    Hop from_bottleneck;
  };

  // Counts the packets that still come out, so that the conservation of packets is a check and not a
  // definition.
  std::int64_t drain();
  // Packets that have left the network in whatever way.
  std::int64_t gone() const;

  void build_bottleneck();
  DeviceQueue queue();
  void build_flow(std::uint32_t source);

  void wait_for_cross_traffic();
  void cross_traffic_arrives();
  void queue_up(ns3::Ptr<ns3::Packet> packet);
  void queue_changed(std::uint32_t before, std::uint32_t present);
  // Packets that left at this very instant and whose place an arrival finds taken all the same: 0 or 1.
  std::uint32_t still_leaving();
  void dropped(ns3::Ptr<const ns3::Packet> frame);
  bool behind_bottleneck(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                         const ns3::Address&);
  const kit::SourceGroup& group(std::uint32_t source) const;
  ns3::Time return_delay(std::uint32_t source) const;
  // Whether a packet is one of those that are measured.
  bool is_measured(const PathTag& tag) const;
  void delivered(std::uint32_t source, const Packet& packet);

  kit::Point point_;
  PacketWatcher& watcher_;
  std::unique_ptr<Topology> topology_;
  kit::Bottleneck shared_;
  kit::CrossTraffic cross_traffic_;
  kit::LossProcess losses_;
  kit::TieRule ties_;
  kit::GroupCounts groups_;
  BottleneckMonitor monitor_;
  kit::Counters counters_;
  kit::PacketSums sums_;
  std::int64_t random_losses_ = 0;  // of measured packets
  kit::Picoseconds restarted_ = 0;
  bool draining_ = false;
  kit::Picoseconds end_ = kit::kNever;  // when draining began

  Device bottleneck_;
  ns3::Ptr<InclusiveDropTailQueue> drop_tail_;  // its queue, unless that is a fair one
  kit::Picoseconds departed_ = kit::kNever;  // when it last let go of a packet that an arrival may still find
  std::vector<Flow> flows_;
};

}  // namespace tcp_atlas
