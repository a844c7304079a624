// SPDX-License-Identifier: GPL-2.0-only
// Sources that send files, or one without end, over a network of any topology.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kit/local_loop/loop_monitor.hpp"
#include "kit/local_loop/loop_users.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/most_packets.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/probe_set.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/random.hpp"
#include "network.hpp"
#include "tcp/packet_sender.hpp"

namespace tcp_atlas {

// What sources draw is drawn as packetsim draws it, in the same order: with the same seed both engines are
// given the same traffic. All that happens to it is ns-3's and ours. One at a time in a process.
class Simulation : private PacketWatcher {
 public:
  // Throws kit::Unsupported.
  Simulation(const kit::Point& point, std::uint64_t seed);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // From the start with every source OFF until the point's stop rule ends it; the warm-up is left out of all
  // but the counters.
  kit::Measurements run(const kit::Progress& progress = {});

  PacketSender& sender(std::size_t source) { return network_.sender(source); }

 private:
  struct Source {
    kit::Picoseconds started = 0;
    kit::Picoseconds arrived = 0;  // when its receiver had all of the file
    std::uint32_t first = 0;       // packets that were sent on the connection before the file
    std::int64_t left = 0;         // packets of the file that its receiver does not have
    bool seen = false;             // the file, at the bottleneck
    bool recovering = false;       // before the acknowledgement that is being dealt with
    bool acknowledging = false;
    std::int64_t transmitted = 0;  // packets
    kit::Picoseconds pause = 0;    // before the file
  };

  void watch(std::uint32_t source);
  void acknowledged(std::uint32_t source, std::uint32_t missing);
  void timed_out(std::uint32_t source);
  void reacted(std::uint32_t source);

  std::size_t index_of_group(std::uint32_t source);
  const kit::SourceGroup& group_of(std::uint32_t source);
  kit::Picoseconds draw_start(std::uint32_t source, kit::Random& start_random);
  void wait(std::uint32_t source, kit::Picoseconds pause);
  std::uint32_t draw_file(std::uint32_t source);
  void start_file(std::uint32_t source);
  void completed(std::uint32_t source, std::uint32_t packets);
  void file_ended(std::uint32_t source, std::uint32_t packets);

  void run_for_a_time();
  void run_until_packets_are_sent();
  void warm_up_ended();

  void packet_sent(std::uint32_t source) override;
  void packet_transmitted(std::uint32_t source) override;
  void packet_arrived(const SegmentHeader& packet, std::size_t found) override;
  void packet_dropped(const SegmentHeader& packet) override;
  void packet_delivered(std::uint32_t source, const Delivery& delivery) override;
  // Of the file that its source has under way.
  bool is_current(const SegmentHeader& packet);

  kit::Point point_;
  std::vector<kit::FileSizeSampler> file_sizes_;  // of each group
  std::vector<kit::OffTimeSampler> off_times_;
  kit::Draws file_size_random_;
  kit::Draws off_time_random_;
  std::vector<Source> sources_;
  std::int64_t completed_ = 0;  // files, the warm-up's included
  kit::ConnectionSums sums_;
  std::int64_t acknowledged_ = 0;  // packets, for the first time
  std::int64_t sent_ = 0;          // packets
  std::int64_t target_ = 0;        // of these, at which the simulation pauses
  std::optional<kit::ProbeSet> probes_;
  // Of a local loop: what its users draw, and what is measured of them.
  std::optional<kit::LoopUsers> loop_users_;
  std::optional<kit::LoopMonitor> loop_monitor_;
  kit::Progress progress_;
  bool over_ = false;
  Network network_;
};

}  // namespace tcp_atlas
