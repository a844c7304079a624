// The link behind a queue: when it has sent a packet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

// Sends packets, one by one, at a rate that may step in time: a packet under way at a step has
// its other bits sent at the new rate, so that what is sent in any time is the integral of the rate. A token
// bucket may hold it back: it begins with a packet once there are tokens for it, which come at the bucket's
// rate up to the burst, with which a run begins. At a rate of 0 it stands still.
class Link {
 public:
  explicit Link(Picoseconds service_time) : service_time_(service_time), present_(service_time) {}

  Link(const Bottleneck& bottleneck, std::int32_t packet_bytes)
      : Link(transmission_time(packet_bytes, bottleneck.rate_bit_per_s)) {
    for (const kit::RateStep& step : bottleneck.rate_steps) {
      const bool stands = step.rate_bit_per_s == 0;
      const Picoseconds before = steps_.empty() ? service_time_ : steps_.back().service_time;
      steps_.push_back({picoseconds(step.at_s),
                        stands ? before : transmission_time(packet_bytes, step.rate_bit_per_s), stands});
    }
    period_ = picoseconds(bottleneck.rate_period_s);
    if (bottleneck.token_bucket) {
      const auto& [rate, burst_bytes] = *bottleneck.token_bucket;
      bucket_ = Bucket{.packet = transmission_time(packet_bytes, rate),
                       .full = transmission_time(burst_bytes, rate)};
      bucket_->level = bucket_->full;
    }
    constant_ = steps_.empty() && !bucket_;
  }

  // Packets of each flow are of a size of its own, beside the one of which the link knows the time.
  void carry_sizes(std::vector<std::int32_t> bytes, std::int32_t packet_bytes) {
    bytes_ = std::move(bytes);
    packet_bytes_ = packet_bytes;
    constant_ = false;
  }

  // When the next packet will have been sent, of the flow that flow_of() says; the link has it, and has sent
  // the last one, from `ready` on.
  template <class FlowOf>
  [[gnu::always_inline]] Picoseconds departure(Picoseconds ready, FlowOf flow_of) {
    return constant_ ? ready + service_time_ : varying_departure(ready, flow_of());
  }
  Picoseconds departure(Picoseconds ready) {
    return departure(ready, [] { return std::size_t{0}; });
  }

  // What a packet of a flow has more than one that the link knows the time of.
  std::int32_t extra_bytes(std::size_t flow) const {
    return bytes_.empty() ? 0 : bytes_[flow] - packet_bytes_;
  }

  // How long packets take at present, one after the other: without tokens for one, by the bucket's rate.
  Picoseconds service_time(Picoseconds now) const {
    if (constant_) {
      return service_time_;
    }
    const Picoseconds service = at_rate_of(now);
    return bucket_ && bucket_->level_at(now) < bucket_->packet ? std::max(service, bucket_->packet) : service;
  }

 private:
  struct Step {
    Picoseconds at;
    Picoseconds service_time;  // from then on
    bool stands;               // instead; the time is that of the step before
  };

  // Tokens are counted in the time in which they come.
  struct Bucket {
    Picoseconds packet;     // a packet's
    Picoseconds full;       // the burst
    Picoseconds level = 0;  // at `since`
    Picoseconds since = 0;

    Picoseconds level_at(Picoseconds now) const { return std::min(level + now - since, full); }

    // Takes so many tokens as soon as they are there; returns when.
    Picoseconds take(Picoseconds tokens, Picoseconds ready) {
      const Picoseconds there = level_at(ready);
      since = ready + std::max<Picoseconds>(tokens - there, 0);
      level = std::max<Picoseconds>(there - tokens, 0);
      return since;
    }
  };

  Picoseconds at_rate_of(Picoseconds now) const {
    const auto later = std::ranges::upper_bound(steps_, period_ > 0 ? now % period_ : now, {}, &Step::at);
    return later == steps_.begin() ? service_time_ : later[-1].service_time;
  }

  [[gnu::noinline]] Picoseconds varying_departure(Picoseconds ready, std::size_t flow) {
    const auto own = [&](Picoseconds time) {
      return bytes_.empty() ? time : scaled(time, bytes_[flow], packet_bytes_);
    };
    Picoseconds now = bucket_ ? bucket_->take(own(bucket_->packet), ready) : ready;
    for (; is_by(now); ++next_step_) {
      std::tie(present_, stands_) = std::pair(step().service_time, step().stands);
    }
    Picoseconds left = own(present_);
    for (; stands_ || is_by(now + left - 1); ++next_step_) {
      const auto [at, service_time, stands] = step();
      left = scaled(stands_ ? left : left - (at - now), service_time, present_);
      std::tie(now, present_, stands_) = std::tuple(at, service_time, stands);
    }
    return now + left;
  }

  // The next step, and whether it comes by a time.
  Step step() const {
    Step step = steps_[next_step_ % steps_.size()];
    step.at += static_cast<Picoseconds>(next_step_ / steps_.size()) * period_;
    return step;
  }
  bool is_by(Picoseconds time) const {
    return !steps_.empty() && (period_ > 0 || next_step_ < steps_.size()) && step().at <= time;
  }

  // time * to / from, to the nearest picosecond.
  static Picoseconds scaled(Picoseconds time, Picoseconds to, Picoseconds from) {
    return static_cast<Picoseconds>((PicosecondSum{time} * to + from / 2) / from);
  }

  Picoseconds service_time_;  // before the first step
  Picoseconds present_;       // of the packet that the link is at
  bool stands_ = false;
  bool constant_ = true;
  std::size_t next_step_ = 0;  // the first that no packet has seen
  std::vector<Step> steps_;
  Picoseconds period_ = 0;  // after which they come again; 0: they do not
  std::optional<Bucket> bucket_;
  std::vector<std::int32_t> bytes_;  // of each flow's packets; empty: all are alike
  std::int32_t packet_bytes_ = 1;    // of those that the times are of
};

}  // namespace packetsim
