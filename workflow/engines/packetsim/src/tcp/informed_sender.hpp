// A TCP sender that is told of every loss at once: Reno of Baccelli, Hong and Liu 2001 (sections 4, 5.1 and
// 7.1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/local_loop/settings.hpp"

namespace packetsim {

// The retransmission timeout of RFC 6298 in whole ticks, with the 3 s of RFC 2988, of the paper's time,
// before the first sample.
class RtoInTicks {
 public:
  struct Limits {
    Picoseconds tick;
    Picoseconds min;
  };

  void sample(Picoseconds rtt) {
    doublings_ = 0;
    if (srtt_ == 0) {
      srtt_ = rtt;
      rttvar_ = rtt / 2;
    } else {
      rttvar_ += (std::abs(rtt - srtt_) - rttvar_) / 4;
      srtt_ += (rtt - srtt_) / 8;
    }
  }

  void back_off() { doublings_ = std::min(doublings_ + 1, 6); }

  Picoseconds value(const Limits& limits) const {
    const Picoseconds wanted = srtt_ == 0 ? kInitial : srtt_ + 4 * rttvar_;
    const Picoseconds whole = (wanted + limits.tick - 1) / limits.tick * limits.tick;
    return std::min(std::max(whole, limits.min), kLongest >> doublings_) << doublings_;
  }

 private:
  static constexpr Picoseconds kInitial = 3'000'000'000'000;
  static constexpr Picoseconds kLongest = 1'000'000'000'000'000'000;  // 11 days, for the clock's sake
  Picoseconds srtt_ = 0;
  Picoseconds rttvar_ = 0;
  int doublings_ = 0;
};

// Transmissions are numbered from 1, a packet that is sent again gets a new number. With a window of W,
// transmission k may go when k - W and all before it have been acknowledged or are known to be lost: that is
// y_0(k) >= y_K(k - v) of section 5.1.
//
// `send` is any callable that takes the number of a transmission and returns when its transmission begins.
class InformedSender {
 public:
  struct Rules {
    std::int32_t rwnd;
    kit::local_loop::Readings readings;
    RtoInTicks::Limits rto;
  };

  explicit InformedSender(const Rules& rules) : ssthresh_(rules.rwnd), records_(64) {}

  // `packets` more to send; `anew`: as a new connection, in slow start.
  template <class Send>
  void start(std::int64_t packets, bool anew, const Rules& rules, Send send) {
    if (anew) {
      cwnd_ = 1;
      acks_ = 0;
      ssthresh_ = rules.rwnd;
      rto_ = {};
    }
    unsent_ += packets;
    send_window(rules, send);
  }

  // Returns the round-trip sample, or 0 if this acknowledgement gives none.
  template <class Send>
  Picoseconds on_ack(std::int64_t number, const Rules& rules, Picoseconds now, Send send) {
    Record& record = at(number);
    record.settled = true;
    // Karn: what was on its way when the timer ran out gives none.
    Picoseconds sample = 0;
    if (number >= timed_from_ &&
        (record.leads_window || rules.readings.rtt_samples == Readings::RttSamples::kEveryPacket)) {
      sample = now - record.sent;
      rto_.sample(sample);
    }
    if (number > sent_at_cut_ || rules.readings.old_acks_grow_window) {
      grow(rules);
    }
    settle();
    restarted_deadline_ = now + rto_.value(rules.rto);
    send_window(rules, send);
    return sample;
  }

  template <class Send>
  void on_loss(std::int64_t number, const Rules& rules, Send send) {
    Record& record = at(number);
    record.settled = true;
    unsent_ += record.first_copy ? 1 : 0;
    if (number > sent_at_cut_) {
      cut(rules);
      sent_at_cut_ = sent_;
    } else if (rules.readings.halving == Readings::Halving::kPerLoss) {
      cut(rules);
    }
    settle();
    send_window(rules, send);
  }

  // The timer has run out although nothing is lost: what is on its way is late. The oldest packet is sent
  // again, at once.
  template <class Send>
  void on_timeout(const Rules& rules, Picoseconds now, Send send) {
    ssthresh_ = half(rules);
    cwnd_ = 1;
    acks_ = 0;
    rto_.back_off();
    sent_at_cut_ = window_end_ = sent_;
    timed_from_ = sent_ + 1;
    transmit(false, rules, send);
    restarted_deadline_ = now + rto_.value(rules.rto);
  }

  // When the retransmission timer runs out; kNever: it does not run.
  Picoseconds deadline(const Rules& rules) const {
    if (rules.readings.timer == Readings::Timer::kRestarted) {
      return settled_ == sent_ ? kNever : restarted_deadline_;
    }
    for (std::int64_t number = std::max(settled_ + 1, timed_from_); number <= sent_; ++number) {
      if (!at(number).settled &&
          (at(number).leads_window || rules.readings.timer == Readings::Timer::kPerPacket)) {
        return at(number).deadline;
      }
    }
    return kNever;
  }

  // The destination's end: whether a transmission brings it something new. Copies never do: what they are
  // copies of is late, not lost.
  bool is_new(std::int64_t number) const { return at(number).first_copy; }

  // Fetches what the end of a transmission needs into the cache.
  void prefetch(std::int64_t number) const { __builtin_prefetch(&at(number), 1); }

 private:
  using Readings = kit::local_loop::Readings;

  struct Record {
    Picoseconds sent;
    Picoseconds deadline;
    bool settled;     // acknowledged, or known to be lost
    bool first_copy;  // not of a packet that is on its way
    bool leads_window;
  };

  Record& at(std::int64_t number) {
    return records_[static_cast<std::size_t>(number) & (records_.size() - 1)];
  }
  const Record& at(std::int64_t number) const {
    return records_[static_cast<std::size_t>(number) & (records_.size() - 1)];
  }

  std::int32_t half(const Rules& rules) const {
    return std::max((cwnd_ + (rules.readings.half_up ? 1 : 0)) / 2, 1);
  }

  void cut(const Rules& rules) {
    cwnd_ = ssthresh_ = half(rules);
    acks_ = 0;
  }

  void grow(const Rules& rules) {
    if (cwnd_ < ssthresh_) {
      ++cwnd_;
    } else if (++acks_ >= cwnd_) {
      acks_ = 0;
      cwnd_ = std::min(cwnd_ + 1, rules.rwnd);
    }
  }

  void settle() {
    while (settled_ < sent_ && at(settled_ + 1).settled) {
      ++settled_;
    }
  }

  template <class Send>
  void send_window(const Rules& rules, Send send) {
    while (unsent_ > 0 && sent_ - settled_ < cwnd_) {
      --unsent_;
      transmit(true, rules, send);
    }
  }

  template <class Send>
  void transmit(bool first_copy, const Rules& rules, Send send) {
    if (sent_ - settled_ == static_cast<std::int64_t>(records_.size())) [[unlikely]] {
      make_room();
    }
    const bool timer_stood = sent_ == settled_;
    ++sent_;
    const bool leads_window = sent_ > window_end_;
    if (leads_window) {
      window_end_ = sent_ + cwnd_ - 1;
    }
    // Here before it is sent, so that whoever sends it may look.
    Record& record = at(sent_);
    record = {0, 0, false, first_copy, leads_window};
    record.sent = send(sent_);
    record.deadline = record.sent + rto_.value(rules.rto);
    if (timer_stood) {
      restarted_deadline_ = record.deadline;
    }
  }

  // Only copies make more transmissions than a window wait for an answer.
  [[gnu::noinline]] void make_room() {
    std::vector<Record> larger(2 * records_.size());
    for (std::int64_t number = settled_ + 1; number <= sent_; ++number) {
      larger[static_cast<std::size_t>(number) & (larger.size() - 1)] = at(number);
    }
    records_ = std::move(larger);
  }

  std::int32_t cwnd_ = 1;
  std::int32_t ssthresh_;
  std::int32_t acks_ = 0;  // since cwnd last moved
  RtoInTicks rto_;
  Picoseconds restarted_deadline_ = kNever;
  std::int64_t unsent_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t settled_ = 0;      // all up to this one are acknowledged, or known to be lost
  std::int64_t sent_at_cut_ = 0;  // the last one when cwnd was last cut
  std::int64_t timed_from_ = 1;   // those before were on their way when the timer last ran out
  std::int64_t window_end_ = 0;
  std::vector<Record> records_;  // a ring of those that are not settled
};

}  // namespace packetsim
