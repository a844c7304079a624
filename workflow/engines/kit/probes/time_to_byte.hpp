// How long a newcomer takes to its 1500 * 10^n-th byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/point/most_packets.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives time_to_byte[1500], time_to_byte[15000], ... (the Common TCP Evaluation Suite, section 5.2) and, of
// several groups, time_to_byte[name.1500]: from the start of a source's first transfer to the acknowledgement
// of the packet that holds this byte and of all before it, in the warm-up too. The mean over the sources of a
// group, if all of them come so far.
class TimeToByte : public NoObserver {
 public:
  explicit TimeToByte(const Point& point) {
    const std::vector<SourceGroup>& groups = point.groups;
    for (const SourceGroup& group : groups) {
      groups_.push_back({.name = groups.size() > 1 ? group.name + "." : "", .count = group.count});
      sources_.resize(sources_.size() + static_cast<std::size_t>(group.count), {.group = groups_.size() - 1});
    }
    for (std::int64_t bytes = 1500; bytes <= std::int64_t{kMostPackets} * point.packet_bytes; bytes *= 10) {
      marks_.push_back(bytes);
      for (std::size_t index = 0; index < groups.size(); ++index) {
        const std::int32_t size = point.bytes_of(groups[index].packet_bytes);
        groups_[index].reached.push_back({.packet = (bytes + size - 1) / size});
      }
    }
  }

  void window_started(std::int32_t flow, const WindowView& /*window*/, Picoseconds now) {
    Source& source = sources_[static_cast<std::size_t>(flow)];
    if (source.transfers++ == 0) {
      source.started = now;
    }
  }

  void acknowledgement(std::int32_t flow, std::int32_t missing, Picoseconds now) {
    Source& source = sources_[static_cast<std::size_t>(flow)];
    std::vector<Reached>& of_group = groups_[source.group].reached;
    while (source.transfers == 1 && source.next < of_group.size() && of_group[source.next].packet < missing) {
      Reached& reached = of_group[source.next++];
      ++reached.sources;
      reached.time += now - source.started;
    }
  }

  void report(ProbeResults& results) const {
    for (const Group& group : groups_) {
      for (std::size_t mark = 0; mark < marks_.size(); ++mark) {
        if (group.reached[mark].sources == group.count) {
          results.ratio("time_to_byte[" + group.name + std::to_string(marks_[mark]) + "]", "s",
                        seconds(group.reached[mark].time), group.count);
        }
      }
    }
  }

 private:
  struct Reached {
    std::int64_t packet;  // that holds the last byte
    std::int32_t sources = 0;
    PicosecondSum time = 0;  // of these
  };
  struct Group {
    std::string name;
    std::int32_t count;
    std::vector<Reached> reached = {};  // each mark
  };
  struct Source {
    std::size_t group;
    std::int64_t transfers = 0;
    Picoseconds started = 0;  // the first
    std::size_t next = 0;     // of marks_
  };

  std::vector<std::int64_t> marks_;  // bytes
  std::vector<Group> groups_;
  std::vector<Source> sources_;
};

}  // namespace kit
