// PIE, the proportional integral controller (RFC 8033), as the RFC has it or as Linux.
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
  // The queueing delay is what the last packet to leave has waited, as in Linux (net/sched/sch_pie.c); else
  // it follows from the number of packets and the link's present rate.
  bool as_linux = true;
};

// Drops or marks arriving packets with a probability that follows the queueing delay. Its updates fall due
// every T_UPDATE from the start on; they are made up for before anything changes the queue. In Linux the
// probability decays by a 64th where nothing waits and grows by 2 % more beyond 250 ms, and bursts are
// allowed for until packets have left for MAX_BURST.
class PieManager {
 public:
  PieManager(const PieLimits& limits, std::uint64_t seed)
      : limits_(limits),
        random_(seed, kit::Stream::kDrops),
        next_update_(limits.update),
        burst_allowance_(limits.max_burst) {}

  void observe(std::size_t present, const Link& link, Picoseconds now) {
    for (; next_update_ <= now; next_update_ += limits_.update) {
      update(limits_.as_linux ? waited_ : static_cast<Picoseconds>(present) * link.service_time(next_update_),
             present > 1);
    }
    present_ = present;
  }

  bool admit(ManagedPacket& packet, std::size_t present, const Link& /*link*/, Picoseconds now) {
    if (present == 0) {
      note_departure(now, 0);
    }
    return !chosen(present) || (probability_ <= limits_.mark_below && mark(packet));
  }

  template <class Pop, class AtMostOneLeft, class Drop>
  std::optional<ManagedPacket> dequeue(Picoseconds now, Pop pop, AtMostOneLeft /*at_most_one_left*/,
                                       Drop /*drop*/) {
    const std::optional<ManagedPacket> packet = pop();
    if (packet) {
      note_departure(now, present_ > 2 ? now - packet->arrived : 0);  // one has left, this one leaves
    }
    return packet;
  }

  double probability() const { return probability_; }

 private:
  // Whether the arriving packet is to be dropped or marked (section 4.1).
  bool chosen(std::size_t present) {
    const Picoseconds delay = limits_.as_linux ? waited_ : last_delay_;
    const bool spared = (delay < limits_.target / 2 && probability_ < 0.2) || present <= 2;
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
  void update(Picoseconds delay, bool waiting) {
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
    probability_ += step + (limits_.as_linux && delay > kLong ? 0.02 : 0);
    if (delay == 0 && last_delay_ == 0 && !(limits_.as_linux && waiting)) {
      probability_ *= limits_.as_linux ? 63. / 64 : 0.98;
    }
    probability_ = std::clamp(probability_, 0.0, 1.0);
    if (!limits_.as_linux) {
      burst_allowance_ = std::max<Picoseconds>(burst_allowance_ - limits_.update, 0);
    }
    if (probability_ == 0 && delay < limits_.target / 2 && last_delay_ < limits_.target / 2) {
      burst_allowance_ = limits_.max_burst;
      last_departure_ = kNever;
    }
    last_delay_ = delay;
  }

  // A packet's transmission begins, for which it has `waited`.
  void note_departure(Picoseconds now, Picoseconds waited) {
    if (limits_.as_linux) {
      waited_ = waited;
      if (last_departure_ != kNever) {
        burst_allowance_ = std::max<Picoseconds>(burst_allowance_ - (now - last_departure_), 0);
      }
      last_departure_ = now;
    }
  }

  static constexpr Picoseconds kLong = 250'000'000'000;

  PieLimits limits_;
  kit::Random random_;
  Picoseconds next_update_;
  Picoseconds burst_allowance_;
  Picoseconds last_delay_ = 0;           // at the last update
  Picoseconds waited_ = 0;               // by the last packet to leave; 0: none was behind it
  Picoseconds last_departure_ = kNever;  // since the allowance was full
  std::size_t present_ = 0;              // before the last change
  double probability_ = 0;
  double accumulated_ = 0;  // of the packets since the last drop
};

using PieQueue = ManagedQueue<PieManager>;

}  // namespace packetsim
