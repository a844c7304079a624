// Goodput, ON time and losses of connections, by file size (Zaragoza 2014, tables 4, 8 and 9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// For each interval of sizes, as metrics with the interval in brackets: file_share, file_size_mean, on_time,
// goodput_per_connection (h: packets over durations), goodput_per_connection_mean (h2: mean over connections
// of their own rates), queue_seen (by the packets that arrive at the bottleneck), timeouts_per_drop,
// recovered_per_drop (retransmissions of successful fast recoveries over drops) and stalled_share (of the ON
// time, from the last packet sent to the timeout). goodput_per_connection_mean without brackets is over all
// connections.
class SizeIntervals : public NoObserver {
 public:
  SizeIntervals(std::size_t flows, double packet_bits, std::vector<SizeInterval> intervals)
      : packet_bits_(packet_bits),
        intervals_(std::move(intervals)),
        flows_(flows),
        sums_(intervals_.size() + 1) {}

  void warm_up_ended(Picoseconds) { sums_.assign(sums_.size(), {}); }

  void transfer_started(std::int32_t flow, std::int32_t file_packets) {
    at(flow) = {.file_packets = file_packets, .interval = interval_of(file_packets)};
  }

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    Flow& state = at(flow);
    state.last_sent = now;
    if (packet > state.highest) {
      state.highest = packet;
    } else {
      ++state.sent_again;
    }
  }

  void packet_arrived(std::int32_t flow, std::int32_t, std::size_t queue, Picoseconds) {
    Sums& sums = sums_[at(flow).interval];
    ++sums.arrivals;
    sums.queue_seen += static_cast<std::int64_t>(queue);
  }

  void packet_dropped(std::int32_t flow, std::int32_t) { ++sums_[at(flow).interval].drops; }

  void acknowledged(std::int32_t flow, bool was, bool is, Picoseconds) {
    Flow& state = at(flow);
    if (is) {
      state.retransmissions = (was ? state.retransmissions : 0) + state.sent_again;
    } else if (was) {
      sums_[state.interval].recovered += state.retransmissions;
    }
    state.sent_again = 0;
  }

  void timed_out(std::int32_t flow, const TimeoutState&, Picoseconds now) {
    Flow& state = at(flow);
    Sums& sums = sums_[state.interval];
    ++sums.timeouts;
    sums.stalled_s += seconds(now - state.last_sent);
    state.sent_again = 0;
  }

  void transfer_completed(std::int32_t flow, bool in_recovery, Picoseconds duration, Picoseconds) {
    const Flow& state = at(flow);
    Sums& sums = sums_[state.interval];
    ++sums.connections;
    sums.packets += state.file_packets;
    sums.duration_s += seconds(duration);
    sums.own_rates += static_cast<double>(state.file_packets) / seconds(duration);
    if (in_recovery) {
      sums.recovered += state.retransmissions;
    }
  }

  void report(ProbeResults& results) const {
    double connections = 0;
    double own_rates = 0;
    for (const Sums& sums : sums_) {
      connections += static_cast<double>(sums.connections);
      own_rates += sums.own_rates;
    }
    results.ratio("goodput_per_connection_mean", "bit/s", own_rates * packet_bits_, connections);
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      report_interval(results, sums_[i], "[" + intervals_[i].label + "]", connections);
    }
  }

 private:
  struct Flow {
    std::int32_t file_packets = 0;
    std::size_t interval = 0;
    std::int32_t highest = 0;
    std::int32_t sent_again = 0;       // in reaction to the present event
    std::int32_t retransmissions = 0;  // of the present fast recovery
    Picoseconds last_sent = 0;
  };
  struct Sums {
    std::int64_t connections = 0;
    std::int64_t packets = 0;
    double duration_s = 0;
    double own_rates = 0;
    std::int64_t arrivals = 0;
    std::int64_t queue_seen = 0;
    std::int64_t drops = 0;
    std::int64_t timeouts = 0;
    std::int64_t recovered = 0;
    double stalled_s = 0;
  };

  void report_interval(ProbeResults& results, const Sums& sums, const std::string& label, double all) const {
    const auto number = [](std::int64_t count) { return static_cast<double>(count); };
    const double connections = number(sums.connections);
    results.ratio("file_share" + label, "1", connections, all);
    results.ratio("file_size_mean" + label, "packets", number(sums.packets), connections);
    results.ratio("on_time" + label, "s", sums.duration_s, connections);
    results.ratio("goodput_per_connection" + label, "bit/s", number(sums.packets) * packet_bits_,
                  sums.duration_s);
    results.ratio("goodput_per_connection_mean" + label, "bit/s", sums.own_rates * packet_bits_, connections);
    results.ratio("queue_seen" + label, "packets", number(sums.queue_seen), number(sums.arrivals));
    results.ratio("timeouts_per_drop" + label, "1", number(sums.timeouts), number(sums.drops));
    results.ratio("recovered_per_drop" + label, "1", number(sums.recovered), number(sums.drops));
    results.ratio("stalled_share" + label, "1", sums.stalled_s, sums.duration_s);
  }

  // Files outside every interval go into the last bucket.
  std::size_t interval_of(std::int32_t file_packets) const {
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (intervals_[i].low <= file_packets && file_packets <= intervals_[i].high) {
        return i;
      }
    }
    return intervals_.size();
  }

  Flow& at(std::int32_t flow) { return flows_[static_cast<std::size_t>(flow)]; }

  double packet_bits_;
  std::vector<SizeInterval> intervals_;
  std::vector<Flow> flows_;
  std::vector<Sums> sums_;
};

}  // namespace kit
