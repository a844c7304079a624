// A propagation delay that is not always the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "kit/random/normal.hpp"
#include "kit/random/random.hpp"

namespace packetsim {

// Of the bottleneck's link. A packet that would overtake another arrives with it, unless jitter or
// reordering lets it pass: then the share that is reordered arrives later and holds up none.
class VaryingDelay {
 public:
  VaryingDelay(const Bottleneck& link, std::uint64_t seed)
      : link_(link), random_(Random(seed, kit::Stream::kLinkDelay)) {}

  bool any() const { return link_.delay_varies(); }
  bool reorders() const { return link_.reorders(); }

  // When a packet is at the other end that leaves now. To be asked once for each, in order.
  Picoseconds arrival(Picoseconds now) {
    for (; next_step_ < link_.delay_steps.size() && picoseconds(link_.delay_steps[next_step_].at_s) <= now;
         ++next_step_) {
      extra_s_ = link_.delay_steps[next_step_].extra_delay_s;
    }
    const double delay_s = std::max(link_.delay_s + extra_s_ + drawn_jitter(), 0.0);
    Picoseconds arrival = now + picoseconds(delay_s);
    if (!link_.jitter || !link_.jitter->reorders) {
      arrival = last_ = std::max(last_, arrival);
    }
    if (link_.reordering && random_.uniform() <= link_.reordering->share) {
      arrival += picoseconds(link_.reordering->delay_s);
    }
    return arrival;
  }

 private:
  double drawn_jitter() {
    if (!link_.jitter) {
      return 0;
    }
    if (const std::vector<double>& delays_s = link_.jitter->delays_s; !delays_s.empty()) {
      const auto place = static_cast<std::size_t>(random_.uniform() * static_cast<double>(delays_s.size()));
      return delays_s[std::min(place, delays_s.size() - 1)];
    }
    const double unit = link_.jitter->normal ? random_.draw() : std::sqrt(3.0) * (2 * random_.uniform() - 1);
    return link_.jitter->standard_deviation_s * unit;
  }

  Bottleneck link_;
  kit::Normals random_;
  std::size_t next_step_ = 0;
  double extra_s_ = 0;    // by the last step
  Picoseconds last_ = 0;  // arrival
};

}  // namespace packetsim
