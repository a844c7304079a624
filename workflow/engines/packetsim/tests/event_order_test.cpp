// The dumbbell against a plain event loop: one heap of events, a packet's every step an event of its own.

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "kit/probes/occupancy.hpp"
#include "kit/random/cross_traffic.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/tie_rule.hpp"
#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "network/source_groups.hpp"
#include "run/simulate.hpp"
#include "tcp/newreno.hpp"

namespace packetsim {
namespace {

// Shares the senders, the receivers and the random variables with the dumbbell, nothing of time and order.
class PlainLoop {
 public:
  PlainLoop(const Point& point, std::uint64_t seed)
      : point_(point),
        group_(point, point.groups.front()),
        service_time_(transmission_time(point.packet_bytes, point.dumbbell().bottleneck.rate_bit_per_s)),
        egress_time_(transmission_time(point.packet_bytes, point.dumbbell().egress.rate_bit_per_s)),
        file_size_random_(Draws::of_sizes(seed)),
        off_time_random_(Draws::of_times(seed)),
        loss_random_(seed, Stream::kLinkLoss),
        cross_traffic_(point.cross_traffic, point.packet_bytes, seed),
        ties_(point.dumbbell().bottleneck.ties, seed),
        queue_(static_cast<std::size_t>(point.dumbbell().bottleneck.buffer_packets) + 1),
        found_(static_cast<std::size_t>(point.dumbbell().bottleneck.buffer_packets) + 1),
        active_(static_cast<std::size_t>(point.source_count()) + 1),
        flows_(static_cast<std::size_t>(point.source_count())),
        rings_(flows_.size(), group_.limits.rwnd) {
    for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
      rings_.give_ring_to(flows_[flow].receiver, flow);
      schedule(group_.off_time.draw(off_time_random_), Kind::kStart, flow);
    }
    schedule(cross_traffic_.next(), Kind::kCross, 0);
  }

  Measurements run(std::int64_t connections) {
    while (result_.counters.connections_completed < connections) {
      const Step step = *steps_.begin();
      steps_.erase(steps_.begin());
      now_ = std::get<0>(step);
      take(std::get<2>(step), std::get<4>(step), std::get<5>(step), std::get<6>(step));
    }
    for (Flow& flow : flows_) {
      note_window(flow);
    }
    queue_.close(now_);
    active_.close(now_);
    result_.end = now_;
    result_.queue_time_at = queue_.time_at();
    result_.queue_arrivals_at = found_;
    result_.active_time_at = active_.time_at();
    return result_;
  }

  double window_time = 0;  // packets times picoseconds, of all connections
  double on_time = 0;

 private:
  // At the same time, by cause, then in this order: departures and cross traffic come before all else.
  enum class Kind { kDeparture, kCross, kStart, kTimer, kAck, kArrival };
  static constexpr Picoseconds kFirst = -1;
  // Time, cause, kind, number of the step, flow, transfer, packet.
  using Step =
      std::tuple<Picoseconds, Picoseconds, Kind, std::int64_t, std::size_t, std::int64_t, std::int32_t>;

  struct Flow {
    Sender<NewReno> sender;
    Receiver receiver;
    std::int64_t transfer = 0;
    std::int64_t seen = 0;  // the last transfer that has reached the bottleneck
    Picoseconds started = 0;
    Picoseconds access_free = 0;
    Picoseconds egress_free = 0;
    Picoseconds timer = kNever;  // when its next step comes
    std::int32_t window = 0;     // 0 between transfers
    Picoseconds window_since = 0;
  };

  // The window is what the sender would use if a recovery ended now.
  void note_window(Flow& flow) {
    const auto passed = static_cast<double>(now_ - flow.window_since);
    window_time += flow.window * passed;
    on_time += flow.window > 0 ? passed : 0;
    const TcpState& tcp = flow.sender.tcp();
    flow.window = flow.sender.done() ? 0 : flow.sender.in_recovery() ? tcp.ssthresh : tcp.cwnd;
    flow.window_since = now_;
  }

  void schedule(Picoseconds time, Kind kind, std::size_t flow, std::int64_t transfer = 0,
                std::int32_t packet = 0) {
    if (time == kNever) {
      return;
    }
    const bool first = kind == Kind::kDeparture || kind == Kind::kCross;
    steps_.emplace(time, first ? kFirst : now_, kind, number_++, flow, transfer, packet);
  }

  auto sending(std::size_t index) {
    return [this, index](std::int32_t packet) {
      Flow& flow = flows_[index];
      ++result_.counters.packets_sent;
      flow.access_free = std::max(flow.access_free, now_) + group_.access_time;
      schedule(flow.access_free + group_.access_delay, Kind::kArrival, index, flow.transfer, packet);
    };
  }

  void take(Kind kind, std::size_t index, std::int64_t transfer, std::int32_t packet) {
    Flow& flow = flows_[index];
    switch (kind) {
      case Kind::kDeparture:
        departs();
        break;
      case Kind::kCross:
        result_.packets.cross_arrived += 1;
        result_.packets.cross_dropped += admit() == kNever;
        cross_traffic_.advance();
        schedule(cross_traffic_.next(), Kind::kCross, 0);
        break;
      case Kind::kStart:
        ++flow.transfer;
        flow.started = now_;
        flow.receiver.start();
        flow.sender.start(group_.file_sizes.draw(file_size_random_), group_.limits, now_, sending(index));
        note_window(flow);
        set_timer(index);
        break;
      case Kind::kTimer:
        if (flow.timer == now_) {
          flow.timer = kNever;
          if (flow.sender.deadline() == now_) {
            flow.sender.on_timeout(group_.limits, now_, sending(index));
            note_window(flow);
          }
          set_timer(index);
        }
        break;
      case Kind::kAck:
        acknowledged(index, transfer, packet);
        break;
      case Kind::kArrival:
        arrives(index, transfer, packet);
        break;
    }
  }

  // A step no later than the deadline; if that has moved back by then, the next one follows. An
  // acknowledgement at the deadline itself comes before or after the timer by when this step was scheduled.
  void set_timer(std::size_t index) {
    Flow& flow = flows_[index];
    if (flow.sender.deadline() < flow.timer) {
      flow.timer = flow.sender.deadline();
      schedule(flow.timer, Kind::kTimer, index);
    }
  }

  void acknowledged(std::size_t index, std::int64_t transfer, std::int32_t packet) {
    Flow& flow = flows_[index];
    ++result_.counters.packets_delivered;
    if (transfer != flow.transfer || flow.sender.done()) {
      return;
    }
    const auto sampled = [&](Picoseconds sample) {
      ++result_.connections.rtt_samples;
      result_.connections.rtt_s += seconds(sample);
    };
    const std::int32_t before = flow.sender.tcp().una;
    const bool completed = flow.sender.on_ack(packet, group_.limits, now_, sending(index), sampled);
    result_.packets.acknowledged += flow.sender.tcp().una - before;
    note_window(flow);
    if (completed) {
      ++result_.counters.connections_completed;
      ++result_.connections.connections;
      result_.connections.packets += flow.sender.tcp().file_packets;
      result_.connections.duration += now_ - flow.started;
      active_.move_to(active_.level() - 1, now_);
      schedule(now_ + group_.off_time.draw(off_time_random_), Kind::kStart, index);
    } else {
      set_timer(index);
    }
  }

  // Returns when the packet will have left, or kNever if it is dropped.
  Picoseconds admit() {
    // With arrivals first a departure of this instant is still to come; a coin may have let it go before.
    if (ties_.rule() != Bottleneck::Ties::kDepartureFirst && !departures_.empty() &&
        departures_.front() == now_ && ties_.departure_first()) {
      leave();
    }
    ++found_[departures_.size()];
    if (departures_.size() == static_cast<std::size_t>(point_.dumbbell().bottleneck.buffer_packets)) {
      return kNever;
    }
    const Picoseconds departure = (departures_.empty() ? now_ : departures_.back()) + service_time_;
    departures_.push_back(departure);
    queue_.move_to(departures_.size(), now_);
    if (ties_.rule() == Bottleneck::Ties::kDepartureFirst) {
      schedule(departure, Kind::kDeparture, 0);
    } else {
      schedule(departure + 1, Kind::kDeparture, 0);
    }
    return departure;
  }

  void departs() {
    const Picoseconds left = ties_.rule() == Bottleneck::Ties::kDepartureFirst ? now_ : now_ - 1;
    if (!departures_.empty() && departures_.front() == left) {
      leave();
    }
  }

  void leave() {
    queue_.move_to(departures_.size() - 1, departures_.front());
    departures_.pop_front();
  }

  void arrives(std::size_t index, std::int64_t transfer, std::int32_t packet) {
    Flow& flow = flows_[index];
    if (flow.seen != transfer) {
      flow.seen = transfer;
      active_.move_to(active_.level() + 1, now_);
    }
    const Picoseconds departure = admit();
    if (departure == kNever) {
      ++result_.counters.packets_dropped;
      return;
    }
    if (point_.dumbbell().bottleneck.loss_probability > 0 &&
        loss_random_.uniform() <= point_.dumbbell().bottleneck.loss_probability) {
      ++result_.counters.packets_lost;
      return;
    }
    flow.egress_free =
        std::max(flow.egress_free, departure + picoseconds(point_.dumbbell().bottleneck.delay_s)) +
        egress_time_;
    const Picoseconds answered =
        flow.egress_free + picoseconds(point_.dumbbell().egress.delay_s) + group_.return_delay;
    ++result_.packets.carried;
    result_.packets.round_trip_ps +=
        static_cast<double>(answered - now_ + group_.access_delay + group_.access_time);
    schedule(answered, Kind::kAck, index, transfer,
             transfer == flow.transfer ? flow.receiver.receive(packet) : 0);
  }

  Point point_;
  Group group_;
  Picoseconds service_time_;
  Picoseconds egress_time_;
  Draws file_size_random_;
  Draws off_time_random_;
  Random loss_random_;
  CrossTraffic cross_traffic_;
  TieRule ties_;
  std::deque<Picoseconds> departures_;  // of the packets at the bottleneck
  Occupancy queue_;
  std::vector<std::int64_t> found_;
  Occupancy active_;
  std::vector<Flow> flows_;
  ReceiverPool rings_;
  std::set<Step> steps_;
  std::int64_t number_ = 0;
  Picoseconds now_ = 0;
  Measurements result_;
};

void expect_same(const Measurements& measured, const Measurements& expected) {
  EXPECT_EQ(measured.end, expected.end);
  EXPECT_EQ(measured.counters.packets_sent, expected.counters.packets_sent);
  EXPECT_EQ(measured.counters.packets_dropped, expected.counters.packets_dropped);
  EXPECT_EQ(measured.counters.packets_lost, expected.counters.packets_lost);
  EXPECT_EQ(measured.connections.packets, expected.connections.packets);
  EXPECT_TRUE(measured.connections.duration == expected.connections.duration);
  EXPECT_EQ(measured.connections.rtt_samples, expected.connections.rtt_samples);
  EXPECT_EQ(measured.connections.rtt_s, expected.connections.rtt_s);
  EXPECT_EQ(measured.packets.carried, expected.packets.carried);
  EXPECT_EQ(measured.packets.round_trip_ps, expected.packets.round_trip_ps);
  EXPECT_EQ(measured.packets.acknowledged, expected.packets.acknowledged);
  EXPECT_EQ(measured.packets.cross_arrived, expected.packets.cross_arrived);
  EXPECT_EQ(measured.packets.cross_dropped, expected.packets.cross_dropped);
  EXPECT_EQ(measured.queue_time_at, expected.queue_time_at);
  EXPECT_EQ(measured.queue_arrivals_at, expected.queue_arrivals_at);
  EXPECT_EQ(measured.active_time_at, expected.active_time_at);
}

// From a path that holds a packet to one that holds hundreds, with access links from slower to much faster
// than the bottleneck.
Point random_point(std::mt19937& random) {
  const auto one_of = [&](auto... values) {
    const std::common_type_t<decltype(values)...> list[] = {values...};
    return list[random() % sizeof...(values)];
  };
  Point point = table_6_point(one_of(1, 5, 20, 50, 100, 300), one_of(1, 3, 20, 200));
  point.dumbbell().bottleneck.rate_bit_per_s = one_of(2e5, 1e6, 1e7, 1e8);
  point.dumbbell().bottleneck.delay_s = one_of(0.0, 0.001, 0.02134);
  point.return_delay_s = one_of(0.0, 0.013, 0.2);
  point.dumbbell().bottleneck.loss_probability = one_of(0.0, 0.0, 0.01);
  point.dumbbell().bottleneck.ties =
      one_of(Bottleneck::Ties::kDepartureFirst, Bottleneck::Ties::kArrivalFirst, Bottleneck::Ties::kRandom);
  point.dumbbell().egress.rate_bit_per_s = one_of(1e6, 2e6, 1e9);
  point.groups[0].access.rate_bit_per_s = one_of(1.1e6, 2e6, 1e8);
  point.groups[0].workload.file_size.mean_packets = one_of(5, 40);
  point.groups[0].workload.off_time.mean_s = one_of(0.05, 1.0, 30.0);
  if (random() % 4 == 0) {
    point.cross_traffic = {.kind = CrossTrafficSpec::Kind::kPoisson,
                           .rate_bit_per_s = point.dumbbell().bottleneck.rate_bit_per_s / 3};
  }
  return point;
}

double mean_window(Point point, std::uint64_t seed, std::int64_t connections) {
  point.probes.window_mean = true;
  point.stop = {.connections = connections};
  return simulate(point, seed).probes.metrics.front().value;
}

TEST(EventOrder, IsThatOfAPlainLoopWhateverThePoint) {
  std::mt19937 random(1);
  int in_windows = 0;
  constexpr int kPoints = 120;
  for (int trial = 0; trial < kPoints; ++trial) {
    const Point point = random_point(random);
    in_windows += !Schedule(point, false).in_order;
    const std::int64_t connections = 200;
    const auto seed = static_cast<std::uint64_t>(trial);
    SCOPED_TRACE(trial);
    PlainLoop loop(point, seed);
    const Measurements expected = loop.run(connections);
    Dumbbell<NewReno> dumbbell(point, seed);
    dumbbell.run_until_completed(connections / 3);  // a stop in between changes nothing
    dumbbell.run_until_completed(connections);
    expect_same(dumbbell.measurements(), expected);
    EXPECT_NEAR(mean_window(point, seed, connections), loop.window_time / loop.on_time, 1e-9);
    if (HasFailure()) {
      return;
    }
  }
  EXPECT_GT(in_windows, kPoints / 5);
  EXPECT_LT(in_windows, kPoints * 4 / 5);
}

}  // namespace
}  // namespace packetsim
