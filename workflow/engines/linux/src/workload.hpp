// What sources send, and when: the same variables from the same streams as in the other engines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host_settings.hpp"
#include "kit/main/group_counts.hpp"
#include "kit/point/point.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/random.hpp"
#include "uml/dumbbell.h"
#include "units.hpp"

namespace linux_engine {

// From the first SYN to the earliest transfer, at most.
inline constexpr Nanoseconds kOpening = 4 * kNanosecondsPerSecond;

// Connections are opened ahead, so that transfers begin with data as in the simulators, which have no
// handshake. The SYN of a transfer whose packets are logged goes when the transfer begins.
class Workload {
 public:
  Workload(const kit::Point& point, std::uint64_t seed)
      : point_(point),
        groups_(point),
        file_packets_(static_cast<std::size_t>(point.source_count())),
        file_size_random_(kit::Draws::of_sizes(seed)),
        off_time_random_(kit::Draws::of_times(seed)),
        start_random_(seed, kit::Stream::kStart) {
    for (const kit::SourceGroup& group : point.groups) {
      file_sizes_.emplace_back(group.workload.file_size);
      off_times_.emplace_back(group.workload.off_time);
    }
  }

  sources_transfer first(std::uint32_t source, Nanoseconds begin) {
    const double spread_s = workload_of(source).start_spread_s;
    const Nanoseconds at = begin + off_time(source) + kit::draw_start(spread_s, start_random_) / 1'000;
    return transfer(source, at, at - std::min(round_trip(source), kOpening));
  }

  // After the source's last one, which ended at `end`.
  sources_transfer next(std::uint32_t source, Nanoseconds end) {
    const Nanoseconds at = end + off_time(source);
    const kit::Dumbbell& path = point_.dumbbell();
    const double longest_wait_s =
        8.0 * path.bottleneck.buffer_packets * point_.packet_bytes / path.bottleneck.rate_bit_per_s;
    return transfer(source, at, std::max(end, at - round_trip(source) - nanoseconds(longest_wait_s)));
  }

  bool bulk(std::uint32_t source) const { return workload_of(source).bulk(); }

  // Of the last transfer that was begun.
  std::int32_t file_packets(std::uint32_t source) const { return file_packets_[source]; }

 private:
  std::size_t group_of(std::uint32_t source) const {
    return groups_.group_of(static_cast<std::int32_t>(source));
  }
  const kit::Workload& workload_of(std::uint32_t source) const {
    return point_.groups[group_of(source)].workload;
  }

  Nanoseconds off_time(std::uint32_t source) {
    return bulk(source) ? 0 : off_times_[group_of(source)].draw(off_time_random_) / 1'000;
  }

  Nanoseconds round_trip(std::uint32_t source) const {
    return nanoseconds(empty_round_trip_s(point_, point_.groups[group_of(source)]));
  }

  sources_transfer transfer(std::uint32_t source, Nanoseconds at, Nanoseconds open) {
    const bool endless = bulk(source) && point_.stop.transfer_packets == 0;
    const std::size_t group = group_of(source);
    file_packets_[source] = endless ? 0 : file_sizes_[group].draw(file_size_random_);
    sources_transfer transfer{};
    transfer.source = source;
    transfer.bytes = endless
                         ? ~std::uint64_t{0}
                         : static_cast<std::uint64_t>(file_packets_[source]) *
                               static_cast<std::uint64_t>(segment_bytes(point_, point_.groups[group].tcp));
    transfer.open_ns = static_cast<std::uint64_t>(point_.probes.filter_log ? at : open);
    transfer.at_ns = static_cast<std::uint64_t>(at);
    return transfer;
  }

  const kit::Point& point_;
  kit::GroupCounts groups_;
  std::vector<kit::FileSizeSampler> file_sizes_;
  std::vector<kit::OffTimeSampler> off_times_;
  std::vector<std::int32_t> file_packets_;
  kit::Draws file_size_random_, off_time_random_;
  kit::Random start_random_;
};

}  // namespace linux_engine
