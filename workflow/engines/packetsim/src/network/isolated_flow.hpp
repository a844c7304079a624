// One bulk transfer that never ends, alone on the dumbbell (Blanc, Collange and Avrachenkov 2008, section 2).
//
// Nothing overtakes anything here: acknowledgements come in the order in which the packets were accepted. So
// there is no event queue, only the acknowledgements on their way, in order, and the retransmission timer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "kit.hpp"
#include "kit/events/ring_queue.hpp"
#include "kit/main/clock.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/random/loss_process.hpp"
#include "kit/random/random.hpp"
#include "kit/random/tie_rule.hpp"
#include "network/source_groups.hpp"
#include "queues/drop_tail_queue.hpp"
#include "tcp/sack_sender.hpp"

namespace packetsim {

// `Window` is the congestion window (see compound.hpp).
template <class Window>
class IsolatedFlow {
 public:
  IsolatedFlow(const Point& point, std::uint64_t seed, Window window)
      : IsolatedFlow(point, point.groups.front(), seed, std::move(window)) {}

  IsolatedFlow(const Point& point, const SourceGroup& source, std::uint64_t seed, Window window)
      : access_time_(transmission_time(point.packet_bytes, source.access.rate_bit_per_s)),
        access_delay_(picoseconds(source.access.delay_s)),
        bottleneck_time_(transmission_time(point.packet_bytes, point.dumbbell().bottleneck.rate_bit_per_s)),
        bottleneck_delay_(picoseconds(point.dumbbell().bottleneck.delay_s)),
        egress_time_(transmission_time(point.packet_bytes, point.dumbbell().egress.rate_bit_per_s)),
        egress_delay_(picoseconds(point.dumbbell().egress.delay_s)),
        return_delay_(picoseconds(point.return_delay_s) + picoseconds(source.extra_delay_s)),
        bottleneck_(point.dumbbell().bottleneck.buffer_packets, bottleneck_time_,
                    TieRule(point.dumbbell().bottleneck.ties, seed)),
        losses_(point.dumbbell().bottleneck, seed),
        sender_(std::move(window), limits_of(source.tcp),
                std::get<CompoundParameters>(source.tcp.own).rate_halving ? Recovery::kRateHalving
                                                                          : Recovery::kPause) {
    // A run begins at a random point of a cycle, so that replications show what depends on the beginning.
    const double full = path_packets() + point.dumbbell().bottleneck.buffer_packets;
    sender_.start(kMostPackets,
                  static_cast<std::int32_t>(full * (1 + Random(seed, Stream::kStart).uniform()) / 2), now_,
                  sending());
  }

  // Runs until the first drop of the `events`-th loss event since the start.
  void run_until_loss_event(std::int64_t events) {
    while (cycles_.events() < events) {
      step();
    }
  }

  // Since measurements were restarted.
  Picoseconds measured() const { return now_ - restarted_; }

  // The largest number of packets in flight without a queue.
  std::int32_t path_packets() const {
    return static_cast<std::int32_t>(propagation() / bottleneck_time_) + 1;
  }

  // Discards the measurements of the warm-up; counters go on.
  void restart_measurements() {
    restarted_ = now_;
    lost_before_ = counters_.packets_lost;
    bottleneck_.restart_monitor(now_);
    cycles_.restart();
    trace_.clear();
  }

  struct TracePoint {
    Picoseconds time;  // since measurements were restarted
    std::int32_t window;
  };

  // The window at the end of every round trip, and before and after every cut.
  const std::vector<TracePoint>& trace() const { return trace_; }
  const std::vector<CompoundCycle>& cycles() const { return cycles_.cycles(); }

  Measurements measurements() {
    bottleneck_.close_monitor(now_);
    Measurements result{.end = now_,
                        .counters = counters_,
                        .connections = {},
                        .queue_time_at = bottleneck_.time_at(),
                        .queue_arrivals_at = bottleneck_.arrivals_at(),
                        .queue_drops = bottleneck_.drops(),
                        .random_losses = counters_.packets_lost - lost_before_,
                        .active_time_at = {0, measured()}};
    count_packets_under_way(result.counters);
    return result;
  }

 private:
  struct Acknowledgement {
    Picoseconds time;
    std::int64_t transmission;
  };

  void step() {
    ++counters_.events;
    const std::int32_t window = sender_.window().window();
    if (acknowledgements_.empty() || acknowledgements_.front().time > sender_.deadline()) {
      now_ = sender_.deadline();
      sender_.on_timeout(now_, sending());
      check_clock();
      check_backlog(std::max(access_free_, egress_free_), now_);
      window_was_cut(window);
      return;
    }
    const Acknowledgement ack = acknowledgements_.front();
    acknowledgements_.pop();
    now_ = ack.time;
    ++counters_.packets_delivered;
    const auto result = sender_.on_ack(ack.transmission, now_, sending());
    if (result.round_trip_ended) {
      check_clock();
      cycles_.round_trip_ended(sender_.window().last_round_trip());
      trace_window(sender_.window().window());
    }
    if (result.loss_found || result.window_limited) {
      window_was_cut(window);
    }
  }

  // Often enough: in a round trip at most.
  void check_clock() const {
    if (now_ > kClockEnd || sender_.una() > kMostPackets) {
      clock_ended();
    }
  }

  void window_was_cut(std::int32_t before) {
    trace_window(before);
    cycles_.window_cut(sender_.window().window());
    trace_window(sender_.window().window());
  }

  void trace_window(std::int32_t window) { trace_.push_back({measured(), window}); }

  // Returns the function that sends a packet and schedules its acknowledgement.
  auto sending() {
    return [this](std::int32_t /*packet*/, std::int64_t transmission) {
      ++counters_.packets_sent;
      access_free_ = std::max(access_free_, now_) + access_time_;
      const Picoseconds arrival = access_free_ + access_delay_;
      const Picoseconds departure = bottleneck_.arrive(arrival);
      if (departure == kNever) {
        ++counters_.packets_dropped;
        // A full buffer fixes the round trip.
        const auto round_trip =
            static_cast<Picoseconds>(bottleneck_.found_on_arrival()) * bottleneck_time_ + propagation();
        cycles_.dropped(arrival, round_trip, sender_.window().window());
        return;
      }
      if (losses_.loses()) {
        ++counters_.packets_lost;
        return;
      }
      egress_free_ = std::max(egress_free_, departure + bottleneck_delay_) + egress_time_;
      acknowledgements_.push({egress_free_ + egress_delay_ + return_delay_, transmission});
    };
  }

  Picoseconds propagation() const {
    return access_delay_ + bottleneck_delay_ + egress_delay_ + return_delay_;
  }

  void count_packets_under_way(Counters& counters) const {
    acknowledgements_.for_each([&](const Acknowledgement& ack) {
      ++(ack.time - return_delay_ > now_ ? counters.packets_in_flight : counters.packets_delivered);
    });
  }

  static constexpr std::int32_t kMostPackets = 2'000'000'000;  // that have numbers, a window beside them

  Picoseconds access_time_;
  Picoseconds access_delay_;
  Picoseconds bottleneck_time_;
  Picoseconds bottleneck_delay_;
  Picoseconds egress_time_;
  Picoseconds egress_delay_;
  Picoseconds return_delay_;

  Picoseconds now_ = 0;
  Picoseconds restarted_ = 0;
  std::int64_t lost_before_ = 0;  // at random, in the warm-up
  Picoseconds access_free_ = 0;   // when the access link has sent what it was given
  Picoseconds egress_free_ = 0;   // the same of the egress link
  DropTailQueue bottleneck_;
  LossProcess losses_;
  RingQueue<Acknowledgement> acknowledgements_;  // on their way
  Counters counters_;
  CompoundCycles cycles_;
  std::vector<TracePoint> trace_;
  SackSender<Window> sender_;
};

}  // namespace packetsim
