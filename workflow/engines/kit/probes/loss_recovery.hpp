// Loss recovery: timeouts by kind, fast recoveries, and the time and packets they take (Zaragoza 2014,
// section 5.4.3, table 7 and figures 15 and 16).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// Every timeout is of one kind, the first in this list that fits. A connection is stalled from the last
// packet it sent to the timeout. A fast recovery lasts from the third duplicate acknowledgement to the
// acknowledgement of all that was outstanding then; the packets sent in it are its retransmissions and the
// new ones, those sent by its last acknowledgement come "on" recovery. Beside it, the same from the first of
// the duplicate acknowledgements on, and with the packets that come on recovery.
class LossRecovery : public NoObserver {
 public:
  LossRecovery(std::size_t flows, double packet_bits) : packet_bits_(packet_bits), flows_(flows) {}

  void warm_up_ended(Picoseconds) { sums_ = {}; }

  void transfer_started(std::int32_t flow, std::int32_t file_packets) {
    at(flow) = {.file_packets = file_packets};
  }

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    Flow& state = at(flow);
    ++sums_.sent;
    ++state.sent;
    state.last_sent = now;
    if (packet > state.highest) {
      state.highest = packet;
    } else {
      ++state.sent_again;
    }
  }

  void packet_dropped(std::int32_t, std::int32_t) { ++sums_.drops; }

  void acknowledgement(std::int32_t flow, std::int32_t missing, Picoseconds now) {
    Flow& state = at(flow);
    if (missing != state.missing) {
      state.missing = missing;
      state.duplicate = false;
    } else if (!state.duplicate) {
      state.duplicate = true;
      state.first_duplicate = now;
    }
  }

  void acknowledged(std::int32_t flow, bool was, bool is, Picoseconds now) {
    Flow& state = at(flow);
    if (!was && is) {
      ++sums_.fast_retransmits;
      state.recovery_began = now;
      state.recovery_duplicate = state.first_duplicate;
      state.recovery_packets = state.sent;
      state.recovery_retransmissions = state.sent_again;
    } else if (was) {
      if (is) {
        state.recovery_packets += state.sent;
        state.recovery_retransmissions += state.sent_again;
      } else {
        recovery_succeeded(state, now);
      }
    }
    state.sent = state.sent_again = 0;
  }

  void timed_out(std::int32_t flow, const TimeoutState& timeout, Picoseconds now) {
    Flow& state = at(flow);
    ++sums_.timeouts[kind_of(timeout, state.file_packets, state.highest)];
    sums_.stalled_s += seconds(now - state.last_sent);
    sums_.timed_out_packets += timeout.packet;
    state.duplicate = false;
    if (timeout.slow_start) {
      count_capped(sums_.slow_start_windows, timeout.cwnd);
    }
    state.sent = state.sent_again = 0;
  }

  void transfer_completed(std::int32_t flow, bool in_recovery, Picoseconds duration, Picoseconds now) {
    if (in_recovery) {
      recovery_succeeded(at(flow), now);
    }
    ++sums_.connections;
    sums_.duration_s += seconds(duration);
  }

  void report(ProbeResults& results) const {
    const auto number = [](std::int64_t count) { return static_cast<double>(count); };
    double timeouts = 0;
    for (const std::int64_t count : sums_.timeouts) {
      timeouts += number(count);
    }
    const double drops = number(sums_.drops);
    const double connections = number(sums_.connections);
    const double recoveries = number(sums_.recoveries);
    results.ratio("timeouts_per_drop", "1", timeouts, drops);
    results.ratio("timeouts_per_connection", "1", timeouts, connections);
    results.ratio("timeout_position_mean", "packets", number(sums_.timed_out_packets), timeouts);
    results.ratio("timeouts_repeated", "1", number(sums_.timeouts[kRepeated]), timeouts);
    results.ratio("timeouts_in_recovery", "1", number(sums_.timeouts[kInRecovery]), timeouts);
    results.ratio("timeouts_at_beginning", "1", number(sums_.timeouts[kBeginning]), timeouts);
    results.ratio("timeouts_at_end", "1", number(sums_.timeouts[kEnd]), timeouts);
    results.ratio("timeouts_other", "1", number(sums_.timeouts[kOther]), timeouts);
    const auto& windows = sums_.slow_start_windows;
    results.ratio("timeouts_in_slow_start", "1",
                  number(std::accumulate(windows.begin(), windows.end(), std::int64_t{0})), timeouts);
    results.ratio("stall_per_timeout", "s", sums_.stalled_s, timeouts);
    results.ratio("stall_per_connection", "s", sums_.stalled_s, connections);
    results.ratio("fast_retransmits_per_drop", "1", number(sums_.fast_retransmits), drops);
    results.ratio("recoveries_per_fast_retransmit", "1", recoveries, number(sums_.fast_retransmits));
    results.ratio("packets_per_recovery", "packets", number(sums_.recovery_packets), recoveries);
    results.ratio("packets_on_recovery", "packets", number(sums_.packets_on_recovery), recoveries);
    results.ratio("time_per_recovery", "s", sums_.recovery_s, recoveries);
    results.ratio("time_per_recovery_from_duplicate", "s", sums_.from_duplicate_s, recoveries);
    results.ratio("packets_per_recovery_and_burst", "packets",
                  number(sums_.recovery_packets + sums_.packets_on_recovery), recoveries);
    results.ratio("recovery_time_per_connection", "s", sums_.recovery_s, connections);
    results.ratio("send_rate_in_recovery", "bit/s", number(sums_.recovery_packets) * packet_bits_,
                  sums_.recovery_s);
    results.ratio("send_rate", "bit/s", number(sums_.sent) * packet_bits_, sums_.duration_s);
    results.distributions.push_back({"recovery_retransmissions", "packets", sums_.retransmissions});
    results.distributions.push_back({"recovery_burst", "packets", sums_.bursts});
    results.distributions.push_back({"timeout_window", "packets", sums_.slow_start_windows});
  }

 private:
  enum Kind : std::size_t {
    kRepeated,    // TOTO: what the timer had sent again was lost again
    kInRecovery,  // TDTO: a retransmission of a fast recovery was lost
    kEnd,         // TOend: nothing new was left to send, so that no three duplicates could come
    kBeginning,   // TObeg: packet 1 or 2
    kOther,
    kKinds
  };

  static Kind kind_of(const TimeoutState& timeout, std::int32_t file_packets, std::int32_t highest_sent) {
    if (timeout.cwnd == 1) {
      return kRepeated;
    }
    if (timeout.in_recovery) {
      return kInRecovery;
    }
    if (highest_sent == file_packets) {
      return kEnd;
    }
    return timeout.packet <= 2 ? kBeginning : kOther;
  }

  struct Flow {
    std::int32_t file_packets = 0;
    std::int32_t highest = 0;
    std::int32_t sent = 0;        // in reaction to the present event
    std::int32_t sent_again = 0;  // of these, retransmissions
    std::int32_t missing = 1;     // by the last acknowledgement
    bool duplicate = false;       // and it was not the first to say so
    Picoseconds first_duplicate = 0;
    Picoseconds recovery_duplicate = 0;
    std::int32_t recovery_packets = 0;
    std::int32_t recovery_retransmissions = 0;
    Picoseconds recovery_began = 0;
    Picoseconds last_sent = 0;
  };

  static constexpr std::size_t kCells = 65;  // the last cell: 64 and beyond

  struct Sums {
    std::int64_t sent = 0;
    std::int64_t drops = 0;
    std::array<std::int64_t, kKinds> timeouts{};
    double stalled_s = 0;
    std::int64_t timed_out_packets = 0;  // the sum of their positions in their files
    std::int64_t fast_retransmits = 0;
    std::int64_t recoveries = 0;
    std::int64_t recovery_packets = 0;
    std::int64_t packets_on_recovery = 0;
    double recovery_s = 0;
    double from_duplicate_s = 0;  // from the first duplicate acknowledgements
    std::int64_t connections = 0;
    double duration_s = 0;
    std::vector<std::int64_t> retransmissions = std::vector<std::int64_t>(kCells, 0);
    std::vector<std::int64_t> bursts = std::vector<std::int64_t>(kCells, 0);
    std::vector<std::int64_t> slow_start_windows = std::vector<std::int64_t>(kCells, 0);
  };

  Flow& at(std::int32_t flow) { return flows_[static_cast<std::size_t>(flow)]; }

  void recovery_succeeded(const Flow& state, Picoseconds now) {
    ++sums_.recoveries;
    sums_.recovery_packets += state.recovery_packets;
    sums_.packets_on_recovery += state.sent;
    sums_.recovery_s += seconds(now - state.recovery_began);
    sums_.from_duplicate_s += seconds(now - state.recovery_duplicate);
    count_capped(sums_.retransmissions, state.recovery_retransmissions);
    if (state.sent > 0) {  // none where the recovery ends the transfer
      count_capped(sums_.bursts, state.sent);
    }
  }

  double packet_bits_;
  std::vector<Flow> flows_;
  Sums sums_;
};

}  // namespace kit
