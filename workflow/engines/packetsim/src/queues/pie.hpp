// PIE, the proportional integral controller (RFC 8033).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kit/random/random.hpp"
#include "queues/managed_queue.hpp"

namespace packetsim {

struct PieLimits {
  Picoseconds target = 15'000'000'000;      // QDELAY_REF
  Picoseconds update = 15'000'000'000;      // T_UPDATE
  Picoseconds max_burst = 150'000'000'000;  // MAX_BURST
  double alpha = 0.125;                     // per second
  double beta = 1.25;                       // per second
  double mark_below = 0.1;                  // drop probability up to which packets are marked (section 5.1)
};

// Drops or marks arriving packets with a probability that follows the queueing delay, known here from the
// number of packets and the link's present rate. Its updates fall due every T_UPDATE from the start on; they
// are made up for before anything changes the queue.
class PieManager {
 public:
  PieManager(const PieLimits& limits, std::uint64_t seed)
      : limits_(limits),
        random_(seed, kit::Stream::kDrops),
        next_update_(limits.update),
        burst_allowance_(limits.max_burst) {}

  void observe(std::size_t present, const Link& link, Picoseconds now) {
    for (; next_update_ <= now; next_update_ += limits_.update) {
      update(static_cast<Picoseconds>(present) * link.service_time(next_update_));
    }
  }

  bool admit(ManagedPacket& packet, std::size_t present, const Link& /*link*/, Picoseconds /*now*/) {
    return !chosen(present) || (probability_ <= limits_.mark_below && mark(packet));
  }

  template <class Pop, class AtMostOneLeft, class Drop>
  static std::optional<ManagedPacket> dequeue(Picoseconds /*now*/, Pop pop,
                                              AtMostOneLeft /*at_most_one_left*/, Drop /*drop*/) {
    return pop();
  }

  double probability() const { return probability_; }

 private:
  // Whether the arriving packet is to be dropped or marked (section 4.1).
  bool chosen(std::size_t present) {
    const bool spared = (last_delay_ < limits_.target / 2 && probability_ < 0.2) || present <= 2;
    if (burst_allowance_ > 0 || spared) {
      return false;
    }
    accumulated_ = probability_ == 0 ? 0 : accumulated_ + probability_;
    const bool hit = accumulated_ >= 8.5 || (accumulated_ >= 0.85 && random_.uniform() < probability_);
    if (hit) {
      accumulated_ = 0;
    }
    return hit;
  }

  // Section 4.2, with the steps for small probabilities of section 4.2 and the caps of sections 5.3 and 5.5.
  void update(Picoseconds delay) {
    double step = limits_.alpha * kit::seconds(delay - limits_.target) +
                  limits_.beta * kit::seconds(delay - last_delay_);
    constexpr std::array<std::pair<double, double>, 6> kScales = {
        {{1e-6, 2048}, {1e-5, 512}, {1e-4, 128}, {1e-3, 32}, {1e-2, 8}, {1e-1, 2}}};
    for (const auto& [below, divisor] : kScales) {
      if (probability_ < below) {
        step /= divisor;
        break;
      }
    }
    if (probability_ >= 0.1) {
      step = std::min(step, 0.02);
    }
    probability_ += step;
    if (delay == 0 && last_delay_ == 0) {
      probability_ *= 0.98;
    }
    probability_ = std::clamp(probability_, 0.0, 1.0);
    burst_allowance_ = std::max<Picoseconds>(burst_allowance_ - limits_.update, 0);
    if (probability_ == 0 && delay < limits_.target / 2 && last_delay_ < limits_.target / 2) {
      burst_allowance_ = limits_.max_burst;
    }
    last_delay_ = delay;
  }

  PieLimits limits_;
  kit::Random random_;
  Picoseconds next_update_;
  Picoseconds burst_allowance_;
  Picoseconds last_delay_ = 0;  // at the last update
  double probability_ = 0;
  double accumulated_ = 0;  // of the packets since the last drop
};

using PieQueue = ManagedQueue<PieManager>;

}  // namespace packetsim
