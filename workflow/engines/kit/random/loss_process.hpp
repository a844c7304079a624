// Which packets a link loses at random, behind its queue.
#pragma once

#include <cmath>
#include <cstdint>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/random/random.hpp"

namespace kit {

// Every kind loses the share `loss_probability` of all packets in the long run.
//
// Evenly spaced: each 1/p-th packet; where 1/p is no whole number, gaps of the two whole numbers around it,
// so that no rounding adds up. The first loss is drawn from the first gap.
//
// Bursts (Gilbert 1960, Elliott 1963): two states, with a step between them behind each packet. Only the bad
// one loses packets, each with probability h (`burst_loss`). It is left with probability r = 1/b, where b is
// the mean length of a burst, and entered with q, so that p = h q / (q + r). A run begins in a state of the
// stationary law.
//
// Bursts in time: the same in continuous time. A burst lasts an exponential time of mean `burst_time_s`, and
// so does what is between two, of the mean with which p comes out.
class LossProcess {
 public:
  LossProcess(const Bottleneck& link, std::uint64_t seed)
      : kind_(link.loss_probability > 0 ? link.losses.kind : Losses::Kind::kNone),
        probability_(link.loss_probability),
        random_(seed, Stream::kLinkLoss) {
    if (kind_ == Losses::Kind::kEvenlySpaced) {
      offset_ = static_cast<std::int64_t>(std::ceil(random_.uniform() / probability_));
      next_ = offset_;
    } else if (kind_ == Losses::Kind::kBursts) {
      burst_loss_ = link.losses.burst_loss;
      leave_ = 1 / link.losses.burst_packets;
      enter_ = entry(link);
      bad_ = random_.uniform() <= probability_ / burst_loss_;
    } else if (kind_ == Losses::Kind::kTimedBursts) {
      burst_loss_ = link.losses.burst_loss;
      burst_time_ = 1e12 * link.losses.burst_time_s;
      bad_ = random_.uniform() <= probability_ / burst_loss_;
      changes_at_ = lasts();
    }
  }

  // q above: the probability that a burst begins behind a packet that is not in one.
  static double entry(const Bottleneck& link) {
    const double bad = link.loss_probability / link.losses.burst_loss;
    return bad / (1 - bad) / link.losses.burst_packets;
  }

  // Whether there are any losses.
  bool any() const { return kind_ != Losses::Kind::kNone; }

  // Whether the next packet is lost, which leaves the link now; to be asked once for each.
  bool loses(Picoseconds now) {
    switch (kind_) {
      case Losses::Kind::kNone:
        return false;
      case Losses::Kind::kIndependent:
        return random_.uniform() <= probability_;
      case Losses::Kind::kEvenlySpaced:
        return evenly_spaced();
      case Losses::Kind::kTimedBursts:
        return in_timed_bursts(now);
      default:
        return in_bursts();
    }
  }

 private:
  bool evenly_spaced() {
    if (++packet_ < next_) {
      return false;
    }
    next_ = offset_ + std::llround(static_cast<double>(++losses_) / probability_);
    return true;
  }

  bool in_bursts() {
    const bool lost = bad_ && (burst_loss_ == 1 || random_.uniform() <= burst_loss_);
    bad_ = (random_.uniform() <= (bad_ ? leave_ : enter_)) != bad_;
    return lost;
  }

  // Out of the way of links without it, whose loop it would take registers from.
  [[gnu::noinline]] bool in_timed_bursts(Picoseconds now) {
    while (now >= changes_at_) {
      bad_ = !bad_;
      changes_at_ += lasts();
    }
    return bad_ && (burst_loss_ == 1 || random_.uniform() <= burst_loss_);
  }

  // How long it will be as it is.
  Picoseconds lasts() {
    return std::llround(burst_time_ * (bad_ ? 1 : burst_loss_ / probability_ - 1) * random_.exponential()) +
           1;
  }

  Losses::Kind kind_;
  double probability_;
  Random random_;
  // Evenly spaced: packets and losses so far, the number of the first packet that is lost, and of the next.
  std::int64_t packet_ = 0, losses_ = 0, offset_ = 0, next_ = 0;
  // Bursts.
  double burst_loss_ = 1, leave_ = 0, enter_ = 0;
  bool bad_ = false;
  // Bursts in time.
  double burst_time_ = 0;  // mean, in ps
  Picoseconds changes_at_ = 0;
};

}  // namespace kit
