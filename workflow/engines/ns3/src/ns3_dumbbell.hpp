// SPDX-License-Identifier: GPL-2.0-only
// Sources on the dumbbell that send files, or one without end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "distributions.hpp"
#include "measurements.hpp"
#include "network.hpp"
#include "point.hpp"
#include "probes/probe_set.hpp"
#include "random.hpp"
#include "simulate.hpp"
#include "tcp/packet_tcp_sender.hpp"

namespace tcp_atlas {

// File sizes and OFF times are drawn as packetsim draws them, in the same order: with the same seed both
// engines are given the same traffic. All that happens to it is ns-3's and ours.
class Dumbbell {
 public:
  // Throws packetsim::Unsupported.
  Dumbbell(const packetsim::Point& point, std::uint64_t seed);
  Dumbbell(const Dumbbell&) = delete;
  Dumbbell& operator=(const Dumbbell&) = delete;

  // From the start with every source OFF until the connections asked for are completed, or for the time asked
  // for; the warm-up is left out of all but the counters.
  packetsim::Measurements run(const packetsim::Progress& progress = {});

  PacketTcpSender& sender(std::size_t source) {
    return static_cast<PacketTcpSender&>(network_.sender(source));
  }

 private:
  struct Source {
    packetsim::Picoseconds started = 0;
    bool recovering = false;  // before the acknowledgement that is being dealt with
    bool acknowledging = false;
  };

  void watch(std::uint32_t source);
  void acknowledged(std::uint32_t source, std::uint32_t missing);
  void timed_out(std::uint32_t source);
  void reacted(std::uint32_t source);

  void wait_off_time(std::uint32_t source);
  void start_transfer(std::uint32_t source);
  void transfer_completed(std::uint32_t source, std::uint32_t packets);

  void stop_after_a_time();
  void warm_up_ended();
  void packet_arrived(const SegmentHeader& packet, std::size_t found);
  void packet_dropped(const SegmentHeader& packet);
  // Of the transfer that its source has under way, and watched by a probe.
  bool is_probed(const SegmentHeader& packet);

  packetsim::Point point_;
  packetsim::FileSizeSampler file_sizes_;
  packetsim::Random file_size_random_;
  packetsim::Random off_time_random_;
  std::vector<Source> sources_;
  std::int64_t completed_ = 0;  // connections, the warm-up's included
  packetsim::ConnectionSums sums_;
  std::int64_t acknowledged_ = 0;  // packets, for the first time
  std::optional<packetsim::ProbeSet> probes_;
  packetsim::Progress progress_;
  bool over_ = false;
  Network network_;
};

}  // namespace tcp_atlas
