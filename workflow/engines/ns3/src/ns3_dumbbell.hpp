// SPDX-License-Identifier: GPL-2.0-only
// Sources on the dumbbell that send files, or one without end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kit/main/measurements.hpp"
#include "kit/main/progress.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/probe_set.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/random.hpp"
#include "network.hpp"
#include "tcp/packet_tcp_sender.hpp"

namespace tcp_atlas {

// File sizes and OFF times are drawn as packetsim draws them, in the same order: with the same seed both
// engines are given the same traffic. All that happens to it is ns-3's and ours.
class Dumbbell {
 public:
  // Throws kit::Unsupported.
  Dumbbell(const kit::Point& point, std::uint64_t seed);
  Dumbbell(const Dumbbell&) = delete;
  Dumbbell& operator=(const Dumbbell&) = delete;

  // From the start with every source OFF until the connections asked for are completed, or for the time asked
  // for; the warm-up is left out of all but the counters.
  kit::Measurements run(const kit::Progress& progress = {});

  PacketTcpSender& sender(std::size_t source) {
    return static_cast<PacketTcpSender&>(network_.sender(source));
  }

 private:
  struct Source {
    kit::Picoseconds started = 0;
    bool recovering = false;  // before the acknowledgement that is being dealt with
    bool acknowledging = false;
  };

  void watch(std::uint32_t source);
  void acknowledged(std::uint32_t source, std::uint32_t missing);
  void timed_out(std::uint32_t source);
  void reacted(std::uint32_t source);

  const kit::SourceGroup& group_of(std::uint32_t source);
  void wait_off_time(std::uint32_t source, kit::Picoseconds longer = 0);
  void start_transfer(std::uint32_t source);
  void transfer_completed(std::uint32_t source, std::uint32_t packets);

  void stop_after_a_time();
  void warm_up_ended();
  void packet_arrived(const SegmentHeader& packet, std::size_t found);
  void packet_dropped(const SegmentHeader& packet);
  // Of the transfer that its source has under way, and watched by a probe.
  bool is_probed(const SegmentHeader& packet);

  kit::Point point_;
  std::vector<kit::FileSizeSampler> file_sizes_;  // of each group
  kit::Random file_size_random_;
  kit::Random off_time_random_;
  std::vector<Source> sources_;
  std::int64_t completed_ = 0;  // connections, the warm-up's included
  kit::ConnectionSums sums_;
  std::int64_t acknowledged_ = 0;  // packets, for the first time
  std::optional<kit::ProbeSet> probes_;
  kit::Progress progress_;
  bool over_ = false;
  Network network_;
};

}  // namespace tcp_atlas
