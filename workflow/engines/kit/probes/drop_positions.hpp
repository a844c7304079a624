// The positions in their files of the packets that the bottleneck drops (Zaragoza 2014, figure 14).
#pragma once

#include <cstdint>
#include <vector>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Gives drop_position: the share of drops that hit packet 0 (there is none), 1, 2, ... of a file.
class DropPositions : public NoObserver {
 public:
  void warm_up_ended(Picoseconds) { drops_.assign(drops_.size(), 0); }

  void packet_dropped(std::int32_t, std::int32_t packet) { count_capped(drops_, packet); }

  void report(ProbeResults& results) const {
    results.distributions.push_back({"drop_position", "packets", drops_});
  }

 private:
  static constexpr std::size_t kPositions = 513;  // the last cell: 512 and beyond

  std::vector<std::int64_t> drops_ = std::vector<std::int64_t>(kPositions, 0);
};

}  // namespace kit
