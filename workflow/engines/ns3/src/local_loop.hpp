// SPDX-License-Identifier: GPL-2.0-only
// The local loop of Baccelli, Hong and Liu 2001, figure 1, made of ns-3's nodes, devices and channels: every
// user has links of his own on both sides of the shared router, and a way back of pure delay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kit/local_loop/loop_measurements.hpp"
#include "kit/local_loop/loop_monitor.hpp"
#include "kit/local_loop/loop_users.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/probes/occupancy.hpp"
#include "links.hpp"
#include "tcp/packet_lifelong_reno.hpp"
#include "tcp/packet_tcp_receiver.hpp"

namespace tcp_atlas {

// Starts, bursts and think times are drawn as packetsim draws them, in the same order, and what is measured
// is the same: a packet counts when the shared router accepts it or, with fair queueing, lets it go.
//
// One at a time in a process. Of arrivals and departures at the same time at the shared router the departure
// comes first.
class LocalLoop {
 public:
  // The settings must be valid: see kit::local_loop::check(). Throws kit::Unsupported.
  LocalLoop(const kit::local_loop::Settings& settings, std::uint64_t seed);
  ~LocalLoop();
  LocalLoop(const LocalLoop&) = delete;
  LocalLoop& operator=(const LocalLoop&) = delete;

  PacketLifelongReno& sender(std::size_t user) { return *users_[user].sender; }

  // Until the users have sent so many packets since the measurements began. Throws kit::Unsupported where the
  // clock ends before.
  void run_until_sent(std::int64_t packets);

  // Discards the measurements of the warm-up; counters go on.
  void restart_measurements();

  // Silences the senders and lets out what is under way, which ends the simulation.
  kit::LoopMeasurements close();

  // Time that the packets at the shared router have spent there, for tests of Little's law.
  kit::PicosecondSum sojourn_of_present() const;

 private:
  using Packet = ns3::Ptr<ns3::Packet>;
  using Hop = std::function<void(Packet)>;  // takes a packet on

  struct User {
    ns3::Ptr<PacketLifelongReno> sender;
    ns3::Ptr<PacketTcpReceiver> receiver;
    Hop from_shared;
    std::int64_t transmitted = 0;
    std::int64_t burst_packets = 0;
    std::int64_t burst_left = 0;  // of these, to be delivered
    kit::Picoseconds burst_began = 0;
    kit::Picoseconds pause = 0;  // before the next burst
  };

  void build_shared_link();
  void build_user(std::uint32_t user);
  // A user's links from one station to before another; at their end a packet takes the hop.
  Hop build_links(std::uint32_t user, std::size_t first, std::size_t end, Hop hop);
  std::uint64_t rate(std::size_t station) const;
  DeviceQueue shared_queue();

  void start_burst(std::uint32_t user);
  void end_burst(User& user);
  void packet_sent();

  void arrived(Packet packet);
  void queue_changed(std::uint32_t before, std::uint32_t present);
  void dropped();
  void departed(ns3::Ptr<const ns3::Packet> frame);
  void delivered(std::uint32_t user, Packet packet);

  kit::local_loop::Settings settings_;
  ns3::Time return_delay_;
  kit::LoopUsers draws_;
  kit::LoopMonitor monitor_;
  kit::Occupancy queue_;
  kit::PicosecondSum arrivals_of_present_ = 0;  // sum of the times at which they came
  std::vector<User> users_;
  Device shared_;

  std::int64_t target_ = 0;  // packets to be sent since the measurements began
  kit::Picoseconds restarted_ = -1;
  kit::Picoseconds end_ = kit::kNever;  // when draining began
};

}  // namespace tcp_atlas
