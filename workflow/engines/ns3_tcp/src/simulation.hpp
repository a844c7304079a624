// SPDX-License-Identifier: GPL-2.0-only
// Bulk transfers by ns-3's own TCP over a dumbbell of its nodes, and what is measured of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bottleneck_monitor.hpp"
#include "data_tag.hpp"
#include "flow.hpp"
#include "kit/main/group_counts.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/point.hpp"
#include "kit/random/loss_process.hpp"
#include "links.hpp"

namespace ns3_tcp {

// Starts and random losses are drawn as packetsim draws them. One at a time in a process.
class Simulation {
 public:
  // Throws kit::Unsupported.
  Simulation(const kit::Point& point, std::uint64_t seed);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Until the point's duration is over; the warm-up is left out of all but the counters.
  kit::Measurements run(const kit::Progress& progress = {});

  const Flow& flow(std::size_t index) const { return *flows_[index]; }

 private:
  using Frame = ns3::Ptr<const ns3::Packet>;

  void build_bottleneck();
  void build_flow(std::uint32_t index);
  const kit::SourceGroup& group_of(std::uint32_t index) const;

  void began(std::uint32_t index, Frame frame);
  void arrived(Frame frame);
  void dropped(Frame frame);
  bool loses(Frame frame);
  void delivered(Frame frame);

  void warm_up_ended();
  // Counts the packets that still come out.
  std::int64_t drain();
  std::int64_t gone() const;

  kit::Point point_;
  kit::LossProcess losses_;
  kit::GroupCounts groups_;
  tcp_atlas::BottleneckMonitor monitor_;
  ns3::Ptr<ns3::Node> entry_ = ns3::CreateObject<ns3::Node>();
  ns3::Ptr<ns3::Node> exit_ = ns3::CreateObject<ns3::Node>();
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<std::int64_t> acknowledged_before_;  // by the end of the warm-up, of each flow
  std::vector<kit::Picoseconds> return_delays_;
  kit::Counters counters_;
  kit::PacketSums sums_;
  std::int64_t random_losses_ = 0;  // since the warm-up
  kit::Picoseconds restarted_ = 0;
  bool draining_ = false;
};

}  // namespace ns3_tcp
