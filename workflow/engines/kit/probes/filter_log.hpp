// What a filter log of bulk transfers tells, as Bogoiavlenskaia et al. 2002, section 7.2, read it:
// throughput, round-trip time samples and estimates of the loss probability.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "kit/probes/observer.hpp"
#include "kit/probes/results.hpp"

namespace kit {

// A round-trip time sample is the time from a packet's only transmission to the acknowledgement that ends
// with it, unless a packet before it was sent again in between: that is a post-loss acknowledgement. A third
// duplicate is a triplicate one. The number of losses lies between the two counts: the estimate is half way.
class FilterLog : public NoObserver {
 public:
  // Quantiles of the samples by which they can be put into a model: the middles of so many equal shares.
  static constexpr int kQuantiles = 20;

  FilterLog(std::size_t flows, std::int32_t rwnd)
      : flows_(flows,
               Flow{.packets = std::vector<Packet>(std::bit_ceil(static_cast<std::size_t>(rwnd) + 1))}) {}

  void warm_up_ended(Picoseconds now) {
    sums_ = {};
    sums_.first_sent = sums_.last_sent = now;
  }

  void transfer_started(std::int32_t flow, std::int32_t) { flows_[static_cast<std::size_t>(flow)].restart(); }

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    Flow& state = flows_[static_cast<std::size_t>(flow)];
    ++sums_.sent;
    sums_.last_sent = now;
    if (packet > state.highest) {
      state.highest = packet;
      state.at(packet) = {.sent = now, .again = false};
      ++sums_.new_packets;
      sums_.outstanding += packet - state.missing + 1;
    } else if (packet >= state.missing) {
      state.at(packet) = {.sent = now, .again = true};
    } else {
      state.newest_acknowledged = now;
    }
  }

  // `missing` is the first packet that the receiver lacks.
  void acknowledgement(std::int32_t flow, std::int32_t missing, Picoseconds now) {
    Flow& state = flows_[static_cast<std::size_t>(flow)];
    if (missing <= state.missing) {
      sums_.triplicates += missing == state.missing && ++state.duplicates == kTriplicate;
      return;
    }
    state.duplicates = 0;
    state.timed_out = false;
    for (; state.missing < missing; ++state.missing) {
      const Packet& packet = state.at(state.missing);
      if (state.missing == missing - 1) {
        if (state.newest_acknowledged > packet.sent) {
          ++sums_.post_loss;
        } else if (!packet.again) {
          sample(now - packet.sent);
        }
      }
      state.newest_acknowledged = std::max(state.newest_acknowledged, packet.sent);
    }
  }

  void timed_out(std::int32_t flow, const TimeoutState&, Picoseconds now) {
    Flow& state = flows_[static_cast<std::size_t>(flow)];
    if (!state.timed_out) {
      ++sums_.first_timeouts;
      sums_.first_timeout_s += seconds(now - state.at(state.missing).sent);
    }
    state.timed_out = true;
  }

  void report(ProbeResults& results) const {
    const auto number = [](std::int64_t count) { return static_cast<double>(count); };
    const double sent = number(sums_.sent);
    const auto samples = number(std::accumulate(sums_.rtt_ms.begin(), sums_.rtt_ms.end(), std::int64_t{0}));
    const double new_packets = number(sums_.new_packets);
    results.ratio("send_throughput", "packets/s", sent, seconds(sums_.last_sent - sums_.first_sent));
    results.ratio("outstanding_mean", "packets", number(sums_.outstanding), new_packets);
    results.ratio("rtt_sample_mean", "s", sums_.rtt_s, samples);
    results.ratio("throughput_without_timeouts", "packets/s", number(sums_.outstanding) * samples,
                  new_packets * sums_.rtt_s);
    results.ratio("loss_by_triplicates", "1", number(sums_.triplicates), sent);
    results.ratio("loss_by_post_loss", "1", number(sums_.post_loss), sent);
    results.ratio("loss_estimate", "1", number(sums_.triplicates + sums_.post_loss) / 2, sent);
    results.ratio("first_timeout_mean", "s", sums_.first_timeout_s, number(sums_.first_timeouts));
    if (samples > 0) {
      report_quantiles(results, samples);
    }
    results.distributions.push_back({"rtt_sample", "ms", sums_.rtt_ms});
  }

 private:
  static constexpr std::int32_t kTriplicate = 3;
  static constexpr Picoseconds kMillisecond = 1'000'000'000;
  static constexpr std::size_t kCells = 60'001;  // the last cell: a minute and beyond

  struct Packet {
    Picoseconds sent = 0;  // the last time
    bool again = false;
  };

  struct Flow {
    std::vector<Packet> packets;  // a ring: no more than rwnd are outstanding
    std::int32_t missing = 1;
    std::int32_t highest = 0;
    std::int32_t duplicates = 0;
    Picoseconds newest_acknowledged = -1;  // the last transmission of any packet that is acknowledged
    bool timed_out = false;

    Packet& at(std::int32_t packet) {
      return packets[static_cast<std::size_t>(packet) & (packets.size() - 1)];
    }
    void restart() {
      missing = 1;
      highest = duplicates = 0;
      newest_acknowledged = -1;
      timed_out = false;
    }
  };

  struct Sums {
    std::int64_t sent = 0;
    std::int64_t new_packets = 0;
    std::int64_t outstanding = 0;  // as each new packet is sent, it included
    std::int64_t triplicates = 0;
    std::int64_t post_loss = 0;
    std::int64_t first_timeouts = 0;
    double first_timeout_s = 0;
    double rtt_s = 0;
    std::vector<std::int64_t> rtt_ms = {};
    Picoseconds first_sent = 0;
    Picoseconds last_sent = 0;
  };

  void sample(Picoseconds rtt) {
    sums_.rtt_s += seconds(rtt);
    const std::size_t cell =
        std::min(static_cast<std::size_t>((rtt + kMillisecond / 2) / kMillisecond), kCells - 1);
    if (cell >= sums_.rtt_ms.size()) {
      sums_.rtt_ms.resize(cell + 1, 0);
    }
    ++sums_.rtt_ms[cell];
  }

  void report_quantiles(ProbeResults& results, double samples) const {
    double below = 0;
    std::size_t cell = 0;
    for (int quantile = 1; quantile <= kQuantiles; ++quantile) {
      const double rank = samples * (quantile - 0.5) / kQuantiles;
      while (below + static_cast<double>(sums_.rtt_ms[cell]) < rank) {
        below += static_cast<double>(sums_.rtt_ms[cell++]);
      }
      results.metrics.push_back(
          {"rtt_quantile[" + std::to_string(quantile) + "]", "s", static_cast<double>(cell) / 1000});
    }
  }

  std::vector<Flow> flows_;
  Sums sums_;
};

}  // namespace kit
