// Random early detection (Floyd and Jacobson 1993): with the gentle slope above the larger threshold, or as
// Linux 6.1 has it (sch_red.c, include/net/red.h).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kit/random/random.hpp"
#include "queues/managed_queue.hpp"

namespace packetsim {

struct RedLimits {
  double min_packets;
  double max_packets;
  double max_probability;
  double weight;  // w_q of the moving average
  bool as_linux;
};

// Linux drops or marks all from the larger threshold on, and does not count the packet in service, which the
// link has already. Before a drop it draws how many packets pass, and the first one always does.
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
    if (limits_.as_linux) {
      return admit_as_linux(packet);
    }
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
  bool admit_as_linux(ManagedPacket& packet) {
    const auto [low, high, most, weight, as_linux] = limits_;
    if (average_ < low) {
      passed_ = -1;
      return true;
    }
    if (average_ >= high) {
      passed_ = -1;
      return mark(packet);
    }
    ++passed_;
    if (passed_ == 0) {
      drawn_ = random_.uniform();
      return true;
    }
    if (most * (average_ - low) / (high - low) * static_cast<double>(passed_) < drawn_) {
      return true;
    }
    passed_ = 0;
    drawn_ = random_.uniform();
    return mark(packet);
  }

  // Of the queue's length; an idle link counts as so many arrivals at an empty queue as it could have sent
  // packets at its present rate.
  void average(std::size_t present, const Link& link, Picoseconds now) {
    if (present == 0) {
      const double idle =
          static_cast<double>(now - idle_since_) / static_cast<double>(link.service_time(now));
      average_ *= std::pow(1 - limits_.weight, idle);
    } else {
      const std::size_t counted = present - (limits_.as_linux ? 1 : 0);
      average_ += limits_.weight * (static_cast<double>(counted) - average_);
    }
  }

  // Before it is spread.
  double probability() const {
    const auto [low, high, most, weight, as_linux] = limits_;
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
  double drawn_ = 0;  // by Linux's rules, of the share of packets that pass before the next drop
  std::int64_t passed_ =
      -1;  // packets since the last drop; -1: the average has been below the smaller threshold
};

using RedQueue = ManagedQueue<RedManager>;

}  // namespace packetsim
