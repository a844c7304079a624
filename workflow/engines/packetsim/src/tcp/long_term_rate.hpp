// Linux's BBR takes a path for policed where losses stay above a fifth while the rate stays the same, and
// sends at that rate for 48 round trips (net/ipv4/tcp_bbr.c, bbr_lt_bw_sampling; the drafts leave it out).
#pragma once

#include <cmath>
#include <cstdint>

#include "kit.hpp"

namespace packetsim {

class LongTermRate {
 public:
  // Since the connection began.
  struct Count {
    Picoseconds now = 0;
    std::int64_t delivered = 0;
    std::int64_t lost = 0;
  };

  // An acknowledgement, or a timeout.
  struct Ack {
    bool loses;
    bool round_starts;
    bool app_limited;
    bool probes;  // in the state ProbeBW
  };

  // Packets per picosecond; 0: the path is not taken for policed.
  double rate() const { return in_use_ ? rate_ : 0; }

  // Returns whether probing begins anew: what was found has been in use long enough.
  bool on_ack(const Count& count, const Ack& ack) {
    if (in_use_) {
      if (ack.probes && ack.round_starts && ++rounds_ >= kRoundsOfUse) {
        reset();
        return true;
      }
      return false;
    }
    if (!samples_) {
      if (!ack.loses) {
        return false;
      }
      samples_ = true;
      begin(count);
    }
    rounds_ += ack.round_starts ? 1 : 0;
    if (ack.app_limited || rounds_ > kMostRounds) {
      reset();
    } else if (rounds_ >= kLeastRounds && ack.loses) {
      end(count);
    }
    return false;
  }

 private:
  static constexpr int kRoundsOfUse = 48;
  static constexpr int kLeastRounds = 4;
  static constexpr int kMostRounds = 16;
  static constexpr double kLossRatio = 50. / 256;  // lost by delivered
  static constexpr double kSame = 1. / 8;          // of two intervals' rates
  static constexpr Picoseconds kShortest = 1'000'000'000;

  void begin(const Count& count) {
    began_ = count;
    rounds_ = 0;
  }
  void reset() { *this = LongTermRate(); }

  void end(const Count& count) {
    const auto delivered = static_cast<double>(count.delivered - began_.delivered);
    const Picoseconds length = count.now - began_.now;
    if (delivered == 0 || static_cast<double>(count.lost - began_.lost) < kLossRatio * delivered ||
        length < kShortest) {
      return;
    }
    const double rate = delivered / static_cast<double>(length);
    in_use_ = rate_ > 0 && std::abs(rate - rate_) <= kSame * rate_;
    rate_ = in_use_ ? (rate + rate_) / 2 : rate;
    begin(count);
  }

  Count began_;
  double rate_ = 0;
  int rounds_ = 0;
  bool samples_ = false;
  bool in_use_ = false;
};

}  // namespace packetsim
