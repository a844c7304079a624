// What the users of a local loop draw.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "kit/local_loop/settings.hpp"
#include "kit/main/units.hpp"
#include "kit/point/most_packets.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/normal.hpp"
#include "kit/random/random.hpp"

namespace kit {

class LoopUsers {
 public:
  // `period`: after which the load of the backbone repeats itself; 0 without load.
  LoopUsers(const local_loop::Settings& settings, Picoseconds period, std::uint64_t seed)
      : period_(static_cast<double>(period)),
        start_spread_s_(settings.start_spread_s),
        think_from_equilibrium_(settings.readings.think_from_equilibrium),
        burst_random_(Random(seed, Stream::kBursts)),
        think_random_(Random(seed, Stream::kThinkTimes)),
        start_random_(seed, Stream::kUserStarts) {
    if (settings.workload) {
      bursts_.emplace(settings.workload->burst_mean, settings.workload->burst_sd);
      think_times_.emplace(settings.workload->think_mean_s, settings.workload->think_sd_s);
    }
  }

  // Where a user reads the load of the backbone. Nothing is drawn without load.
  Picoseconds offset() {
    return period_ > 0 ? static_cast<Picoseconds>(start_random_.uniform() * period_) : 0;
  }

  // When a user begins.
  Picoseconds start() {
    if (!think_times_) {
      return picoseconds(start_spread_s_ * start_random_.uniform());
    }
    return pause(think_from_equilibrium_ ? think_times_->draw_residual(think_random_)
                                         : think_times_->draw(think_random_));
  }

  // In packets.
  std::int64_t burst() {
    return bursts_ ? std::max<std::int64_t>(1, std::llround(bursts_->draw(burst_random_))) : kMostPackets;
  }

  // In seconds. Throws Unsupported for a user without any, whose transfer has no end.
  double think_time() {
    if (!think_times_) {
      numbers_ended();
    }
    return think_times_->draw(think_random_);
  }

  // A think time on the clock.
  static Picoseconds pause(double think_time_s) { return pause_of(think_time_s); }

 private:
  double period_;
  double start_spread_s_;
  bool think_from_equilibrium_;
  Normals burst_random_;
  Normals think_random_;
  Random start_random_;
  std::optional<Lognormal> bursts_;
  std::optional<Lognormal> think_times_;
};

}  // namespace kit
