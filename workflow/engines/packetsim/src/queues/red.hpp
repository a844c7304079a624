// Random early detection (Floyd and Jacobson 1993), with the gentle slope above the larger threshold.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kit/random/random.hpp"
#include "queues/managed_queue.hpp"

namespace packetsim {

struct RedLimits {
  double min_packets = 5;
  double max_packets = 15;
  double max_probability = 0.1;
  double weight = 0.002;  // w_q of the moving average
};

class RedManager {
 public:
  RedManager(const RedLimits& limits, std::uint64_t seed)
      : limits_(limits), random_(seed, kit::Stream::kDrops) {}

  void observe(std::size_t present, const Link& /*link*/, Picoseconds now) {
    if (present == 1) {
      idle_since_ = now;  // if it departs
    }
  }

  bool admit(ManagedPacket& packet, std::size_t present, const Link& link, Picoseconds now) {
    average(present, link, now);
    const double chance = probability();
    if (chance == 0) {
      passed_ = -1;
      return true;
    }
    ++passed_;
    if (chance < 1) {
      // Spreads drops evenly over the arrivals between them (section 7).
      const double spread = static_cast<double>(passed_) * chance;
      if (spread < 1 && random_.uniform() >= chance / (1 - spread)) {
        return true;
      }
    }
    passed_ = 0;
    return chance < 1 && mark(packet);
  }

  template <class Pop, class AtMostOneLeft, class Drop>
  static std::optional<ManagedPacket> dequeue(Picoseconds /*now*/, Pop pop,
                                              AtMostOneLeft /*at_most_one_left*/, Drop /*drop*/) {
    return pop();
  }

 private:
  // Of the queue's length; an idle link counts as so many arrivals at an empty queue as it could have sent
  // packets at its present rate.
  void average(std::size_t present, const Link& link, Picoseconds now) {
    if (present == 0) {
      const double idle =
          static_cast<double>(now - idle_since_) / static_cast<double>(link.service_time(now));
      average_ *= std::pow(1 - limits_.weight, idle);
    } else {
      average_ += limits_.weight * (static_cast<double>(present) - average_);
    }
  }

  // Before it is spread.
  double probability() const {
    const auto [low, high, most, weight] = limits_;
    if (average_ < low) {
      return 0;
    }
    if (average_ < high) {
      return most * (average_ - low) / (high - low);
    }
    return average_ < 2 * high ? most + (1 - most) * (average_ - high) / high : 1;
  }

  RedLimits limits_;
  kit::Random random_;
  Picoseconds idle_since_ = 0;
  double average_ = 0;
  std::int64_t passed_ =
      -1;  // packets since the last drop; -1: the average has been below the smaller threshold
};

using RedQueue = ManagedQueue<RedManager>;

}  // namespace packetsim
