// Measures a local loop: who is on, what they download and how fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit/events/sorted_events.hpp"
#include "kit/local_loop/loop_measurements.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/main/measurements.hpp"
#include "kit/main/units.hpp"

namespace kit {

class LoopMonitor {
 public:
  explicit LoopMonitor(const local_loop::Settings& settings)
      : xi_(settings.quality_packets),
        web_(settings.workload.has_value()),
        blocks_(static_cast<std::size_t>(settings.users) * xi_.size()) {
    measured_.blocks_per_s.resize(xi_.size());
    measured_.sent.time_s.reserve(local_loop::SendTrace::kMost);
    measured_.sent.number.reserve(local_loop::SendTrace::kMost);
  }

  Counters& counters() { return counters_; }
  LoopSums& sums() { return measured_.sums; }

  void burst_began(std::size_t user, std::int64_t packets, Picoseconds now) {
    for (std::size_t i = 0; i < xi_.size(); ++i) {
      block(user, i) = {xi_[i], now};
    }
    if (web_) {
      measured_.sums.burst_packets += static_cast<double>(packets);
      ++measured_.sums.bursts_begun;
    }
    integrate(now);
    ++users_on_;
  }

  // The user, whose last packet was delivered at `arrived`, will have been on from `began` to `end`, which
  // may be yet to come, and then think.
  void burst_ended(std::int64_t packets, Picoseconds began, Picoseconds arrived, Picoseconds end,
                   double think_time_s) {
    ends_.push({end, 0, 0});
    const double on_s = seconds(end - began);
    ++counters_.connections_completed;
    measured_.sums.on_time_s += on_s;
    measured_.bursts.push_back({static_cast<float>(packets), static_cast<float>(on_s),
                                static_cast<float>(seconds(arrived - began))});
    measured_.sums.think_time_s += think_time_s;
    ++measured_.sums.think_times_begun;
  }

  // A user sends a packet: from when his source has it.
  void sent() {
    ++counters_.packets_sent;
    ++measured_.sums.sent;
  }

  // The source transmits the user's packet of that number; the first user's are traced.
  void transmitted(std::size_t user, std::int64_t number, Picoseconds time) {
    local_loop::SendTrace& trace = measured_.sent;
    if (user == 0 && time >= since_ && trace.time_s.size() < local_loop::SendTrace::kMost) {
      trace.time_s.push_back(seconds(time - since_));
      trace.number.push_back(static_cast<double>(number));
    }
  }

  void carried(Picoseconds round_trip) {
    ++measured_.sums.carried;
    measured_.sums.round_trip_s += seconds(round_trip);
  }

  // The destination gets a packet that it did not have.
  void delivered(std::size_t user, Picoseconds time) {
    ++measured_.sums.useful;
    for (std::size_t i = 0; i < xi_.size(); ++i) {
      Block& of = block(user, i);
      if (--of.left == 0) {
        measured_.blocks_per_s[i].push_back(static_cast<float>(xi_[i] / seconds(time - of.began)));
        of = {xi_[i], time};
      }
    }
  }

  void sampled(Picoseconds rtt) {
    measured_.sums.rtt_samples += rtt > 0 ? 1 : 0;
    measured_.sums.rtt_samples_s += seconds(rtt);
  }

  void dropped() {
    ++counters_.packets_dropped;
    ++measured_.sums.dropped;
  }

  // Discards the measurements; counters go on.
  void restart(Picoseconds now) {
    integrate(now);
    measured_.sums = {};
    measured_.bursts.clear();
    measured_.sent.time_s.clear();
    measured_.sent.number.clear();
    for (std::vector<float>& rates : measured_.blocks_per_s) {
      rates.clear();
    }
    since_ = now;
  }

  Measurements measurements(Picoseconds now) {
    integrate(now);
    return {.end = now, .measured = now - since_, .counters = counters_, .loop = measured_};
  }

 private:
  // What is left of xi packets in a row, and since when.
  struct Block {
    std::int32_t left;
    Picoseconds began;
  };

  Block& block(std::size_t user, std::size_t xi_index) { return blocks_[user * xi_.size() + xi_index]; }

  // Brings the number of users who are on, and their time, to the present.
  void integrate(Picoseconds now) {
    for (; ends_.next_time() <= now; --users_on_) {
      count_on_time(ends_.pop().time);
    }
    count_on_time(now);
  }

  void count_on_time(Picoseconds time) {
    measured_.sums.user_on_s += static_cast<double>(users_on_) * seconds(time - on_since_);
    on_since_ = time;
  }

  std::vector<std::int32_t> xi_;  // of section 8
  bool web_;
  std::vector<Block> blocks_;  // of each user for each xi
  SortedEvents ends_{40};      // of downloads, which the number of users who are on does not know yet
  std::int64_t users_on_ = 0;
  Picoseconds on_since_ = 0;
  Picoseconds since_ = 0;  // when the measurements began
  Counters counters_;
  LoopMeasurements measured_;
};

}  // namespace kit
