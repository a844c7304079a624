// The dumbbell topology (Zaragoza 2014, figure 4): every source has an access link of its own to the
// bottleneck's router and every receiver an egress link of its own behind it; acknowledgements come back
// without queueing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/event_queue.hpp"
#include "kit/events/waiting_lists.hpp"
#include "kit/main/clock.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/occupancy.hpp"
#include "kit/random/cross_traffic.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/random.hpp"
#include "kit/random/tie_rule.hpp"
#include "network/payload.hpp"
#include "network/source_groups.hpp"
#include "queues/drop_tail_queue.hpp"
#include "queues/fair_queue.hpp"
#include "tcp/receiver.hpp"
#include "tcp/sender.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// Two events a packet: its arrival at the bottleneck and the arrival of its acknowledgement at the sender.
// Everything between them is known as soon as the packet is accepted, because all queues on the way are FIFO.
// A fair queue at the bottleneck adds a third: the packet's departure from it.
//
// `Congestion` is the TCP variant (see variants.hpp), `Observer` the probes (see observer.hpp), `Queue` the
// bottleneck's: a DropTailQueue or a FairQueue, as the point must have it too. `Groups` is OneGroup, or
// ManyGroups with a Congestion that is made of a variant's name.
template <class Congestion, class Observer = NoObserver, class Queue = DropTailQueue, class Groups = OneGroup>
class Dumbbell {
 public:
  Dumbbell(const Point& point, std::uint64_t seed, Observer observer = {})
      : observer_(std::move(observer)),
        groups_(point),
        bottleneck_delay_(picoseconds(point.bottleneck.delay_s)),
        loss_probability_(point.bottleneck.loss_probability),
        egress_time_(transmission_time(point.packet_bytes, point.egress.rate_bit_per_s)),
        egress_delay_(picoseconds(point.egress.delay_s)),
        file_size_random_(seed, Stream::kFileSize),
        off_time_random_(seed, Stream::kOffTime),
        loss_random_(seed, Stream::kLinkLoss),
        cross_traffic_(point.cross_traffic, point.packet_bytes, seed),
        bottleneck_(queue_of(point, seed)),
        active_(static_cast<std::size_t>(point.source_count()) + 1),
        // Besides packets, a timer or two and a start for every source, most of them seconds ahead.
        events_(picoseconds(8), 4 * static_cast<std::size_t>(point.source_count())),
        flows_(static_cast<std::size_t>(point.source_count())),
        rings_(flows_.size(), groups_.largest_rwnd()) {
    Random start_random(seed, Stream::kStart);
    for (std::size_t index = 0; index < flows_.size(); ++index) {
      const auto flow = static_cast<std::int32_t>(index);
      rings_.give_ring_to(flows_[index].receiver, index);
      if constexpr (Groups::kMany) {
        flows_[index].sender = Sender<Congestion>(Congestion(groups_.of(flow).variant));
      }
      events_.push(draw_off_time(groups_.of(flow).off_time, off_time_random_) +
                       draw_start(groups_.of(flow).start_spread_s, start_random),
                   Payload(EventKind::kStart, flow, 0, 0).word());
    }
  }

  // Runs until `connections` connections have been completed since the start of the run.
  // Throws Unsupported where the clock ends before.
  void run_until_completed(std::int64_t connections) {
    run(connections, kClockEnd);
    if (counters_.connections_completed < connections) {
      clock_ended();
    }
  }

  // Runs until `end`, or past it until the packets that the last event sent have reached the bottleneck.
  void run_until(Picoseconds end) {
    run(INT64_MAX, end);
    now_ = std::max(now_, end);
  }

  // Discards the measurements of the warm-up; counters go on.
  void restart_measurements() {
    take_in_cross_traffic();
    sums_ = {};
    observer_.warm_up_ended(now_);
    packet_sums_ = {};
    measured_since_ = now_;
    lost_before_ = counters_.packets_lost;
    if constexpr (Groups::kMany) {
      groups_.restart();
    }
    bottleneck_.restart_monitor(now_);
    active_.restart(now_);
  }

  Measurements measurements() {
    take_in_cross_traffic();
    bottleneck_.close_monitor(now_);
    active_.close(now_);
    Measurements result{.end = now_,
                        .measured = now_ - measured_since_,
                        .counters = counters_,
                        .connections = sums_,
                        .packets = packet_sums_,
                        .queue_time_at = bottleneck_.time_at(),
                        .queue_arrivals_at = bottleneck_.arrivals_at(),
                        .queue_drops = bottleneck_.drops(),
                        .random_losses = counters_.packets_lost - lost_before_,
                        .active_time_at = active_.time_at()};
    if constexpr (Groups::kMany) {
      result.groups = groups_.measurements();
      result.acknowledged = groups_.acknowledged();
    }
    count_packets_under_way(result.counters);
    return result;
  }

  const Observer& observer() const { return observer_; }

 private:
  struct Flow {
    Sender<Congestion> sender;
    Receiver receiver;
    Picoseconds started = 0;
    Picoseconds access_free = 0;       // when the access link has sent what it was given
    Picoseconds egress_free = 0;       // the same of the egress link
    WaitingLists::List waiting;        // acknowledgements of packets that wait for the egress link
    Picoseconds timer_event = kNever;  // when the next event of the retransmission timer comes
    std::uint64_t transfer = 0;
    bool seen_at_bottleneck = false;  // this transfer counts as active there
  };

  static constexpr bool kFair = std::is_same_v<Queue, FairQueue>;

  static Queue queue_of(const Point& point, [[maybe_unused]] std::uint64_t seed) {
    const Bottleneck& bottleneck = point.bottleneck;
    const Picoseconds service_time = transmission_time(point.packet_bytes, bottleneck.rate_bit_per_s);
    if constexpr (kFair) {
      return FairQueue(static_cast<std::size_t>(point.source_count()), bottleneck.buffer_packets,
                       bottleneck.queue == Bottleneck::Queue::kFairShared, service_time);
    } else {
      return DropTailQueue(bottleneck.buffer_packets, service_time, TieRule(bottleneck.ties, seed));
    }
  }

  // Acknowledgements of packets that found their egress link idle, of those that had to wait for it, and
  // arrivals at the bottleneck.
  enum : std::size_t { kAcks, kLaterAcks, kArrivals };

  struct Sent {
    Picoseconds time;
    std::uint64_t payload;
  };

  // The one loop there is: with a second, the compiler would inline less.
  void run(std::int64_t connections, Picoseconds end) {
    while (counters_.connections_completed < connections && next_time() <= end) {
      step();
    }
  }

  // When the next thing happens.
  [[gnu::always_inline]] Picoseconds next_time() {
    if constexpr (kFair) {
      return std::min(bottleneck_.next_departure(), events_.next_time());
    } else {
      return events_.next_time();
    }
  }

  [[gnu::always_inline]] void step() {
    if constexpr (kFair) {
      if (bottleneck_.next_departure() <= events_.next_time()) {
        on_departure();
        return;
      }
    }
    const Event event = events_.pop();
    const Payload payload(event.payload);
    now_ = event.time;
    ++counters_.events;
    Flow& flow = flows_[static_cast<std::size_t>(payload.flow())];
    switch (payload.kind()) {
      case EventKind::kArrival:
        on_arrival(flow, payload);
        break;
      case EventKind::kAck:
        on_ack(flow, payload);
        break;
      case EventKind::kTimer:
        on_timer(flow, payload.flow());
        break;
      case EventKind::kStart:
        start_transfer(flow, payload.flow());
        break;
    }
    deliver_sent();
  }

  // Most packets reach the bottleneck before anything else happens: these need no event. The others become
  // events.
  void deliver_sent() {
    std::size_t delivered = 0;
    for (; delivered < sent_.size() && sent_[delivered].time < next_time(); ++delivered) {
      now_ = sent_[delivered].time;
      ++counters_.events;
      const Payload payload(sent_[delivered].payload);
      on_arrival(flows_[static_cast<std::size_t>(payload.flow())], payload);
    }
    for (; delivered < sent_.size(); ++delivered) {
      events_.push(kArrivals, sent_[delivered].time, sent_[delivered].payload);
    }
    sent_.clear();
  }

  void start_transfer(Flow& flow, std::int32_t index) {
    flow.transfer = (flow.transfer + 1) % Payload::kTransfers;
    flow.started = now_;
    flow.seen_at_bottleneck = false;
    flow.receiver.start();
    const std::int32_t file_packets = groups_.of(index).file_sizes.draw(file_size_random_);
    observer_.transfer_started(index, file_packets);
    flow.sender.start(file_packets, groups_.of(index).limits, now_, sending(flow, index));
    watch_deadline(flow, index);
  }

  void end_transfer(Flow& flow, std::int32_t index) {
    ++counters_.connections_completed;
    ++sums_.connections;
    sums_.packets += flow.sender.tcp().file_packets;
    sums_.duration += now_ - flow.started;
    if constexpr (Groups::kMany) {
      groups_.count_connection(index, flow.sender.tcp().file_packets, now_ - flow.started);
    }
    active_.move_to(active_.level() - 1, now_);
    events_.push(now_ + draw_off_time(groups_.of(index).off_time, off_time_random_),
                 Payload(EventKind::kStart, index, 0, 0).word());
  }

  [[gnu::always_inline]] void on_arrival(Flow& flow, Payload payload) {
    const bool current = payload.transfer() == flow.transfer;
    if (current && !flow.seen_at_bottleneck) {
      flow.seen_at_bottleneck = true;
      active_.move_to(active_.level() + 1, now_);
      observer_.transfer_seen_at_bottleneck(payload.flow(), active_.level());
    }
    if constexpr (kFair) {
      const auto dropped = bottleneck_.arrive(static_cast<std::size_t>(payload.flow()), payload.word(), now_);
      report_arrival(current, payload);
      if (dropped) {
        drop(Payload(dropped->payload));
      }
    } else {
      take_in_cross_traffic();
      const Picoseconds departure = bottleneck_.arrive(now_);
      report_arrival(current, payload);
      if (departure == kNever) {
        drop(payload);
      } else {
        carry(flow, payload, now_, departure);
      }
    }
  }

  [[gnu::always_inline]] void report_arrival(bool current, Payload payload) {
    if (current) {
      observer_.packet_arrived(payload.flow(), payload.number(), bottleneck_.found_on_arrival());
    }
  }

  void drop(Payload payload) {
    ++counters_.packets_dropped;
    if (payload.transfer() == flows_[static_cast<std::size_t>(payload.flow())].transfer) {
      observer_.packet_dropped(payload.flow(), payload.number());
    }
  }

  void on_departure() {
    now_ = bottleneck_.next_departure();
    ++counters_.events;
    const FairQueue::Packet packet = bottleneck_.depart();
    const Payload payload(packet.payload);
    carry(flows_[static_cast<std::size_t>(payload.flow())], payload, packet.arrived, now_);
  }

  // From the bottleneck's queue to the receiver, and its acknowledgement back.
  [[gnu::always_inline]] void carry(Flow& flow, Payload payload, Picoseconds arrival, Picoseconds departure) {
    if (loss_probability_ > 0 && loss_random_.uniform() <= loss_probability_) {
      ++counters_.packets_lost;
      return;
    }
    const Picoseconds at_egress = departure + bottleneck_delay_;
    const bool waits = flow.egress_free > at_egress;
    flow.egress_free = std::max(flow.egress_free, at_egress) + egress_time_;
    // A packet of an earlier transfer is carried, but the receiver does not answer it: its acknowledgement
    // keeps the old transfer's number, and the sender will not look at it.
    const bool current = payload.transfer() == flow.transfer;
    const std::int32_t ack = current ? flow.receiver.receive(payload.number()) : 0;
    const Group& group = groups_.of(payload.flow());
    // The egress queue is worked off at the link's own rate, so its delay can be added at the end.
    const Picoseconds answered = flow.egress_free + egress_delay_ + group.return_delay;
    const Picoseconds round_trip = answered - arrival + group.access_delay + group.access_time;
    ++packet_sums_.carried;
    packet_sums_.round_trip_ps += static_cast<double>(round_trip);
    const std::uint64_t word = Payload(EventKind::kAck, payload.flow(), payload.transfer(), ack).word();
    if constexpr (Groups::kMany) {
      groups_.count_carried(payload.flow(), round_trip);
      if (!waits) {
        events_.push(kAcks, answered, word);  // return delays differ: it may be far from the last
        return;
      }
    }
    const Event answer{events_.next_order(), answered, word};
    if (waits) {
      waiting_.push(flow.waiting, answer);
    } else {
      events_.insert(kAcks, answer);
    }
  }

  void on_ack(Flow& flow, Payload payload) {
    ++counters_.packets_delivered;
    // The packet that waited for the egress link follows at once, so these acknowledgements are in order too.
    if (flow.waiting.next_time == now_ + egress_time_) {
      events_.insert(kLaterAcks, waiting_.pop(flow.waiting));
    }
    if (payload.transfer() != flow.transfer || flow.sender.done()) {
      return;
    }
    const std::int32_t index = payload.flow();
    observer_.acknowledgement(index, payload.number(), now_);
    const bool was_recovering = flow.sender.in_recovery();
    const AckResult result =
        flow.sender.on_ack(payload.number(), groups_.of(index).limits, now_, sending(flow, index));
    packet_sums_.acknowledged += result.acked;
    if constexpr (Groups::kMany) {
      groups_.count_acknowledged(index, result.acked);
    }
    if (result.rtt_sample > 0) {
      ++sums_.rtt_samples;
      sums_.rtt_s += seconds(result.rtt_sample);
    }
    if (result.completed) {
      observer_.transfer_completed(index, was_recovering, now_ - flow.started, now_);
      end_transfer(flow, index);
    } else {
      observer_.acknowledged(index, was_recovering, flow.sender.in_recovery(), now_);
      observer_.window_moved(index, flow.sender.window_view(), now_);
      watch_deadline(flow, index);
    }
  }

  // Admits the cross traffic that is due, which precedes a source's packet of the same instant. There
  // is none beside a fair queue (see point.cpp).
  [[gnu::always_inline]] void take_in_cross_traffic() {
    if constexpr (!kFair) {
      for (; cross_traffic_.next() <= now_; cross_traffic_.advance()) {
        ++packet_sums_.cross_arrived;
        packet_sums_.cross_dropped += bottleneck_.arrive(cross_traffic_.next()) == kNever;
      }
    }
  }

  // Returns the function that sends a packet of this flow over its access link.
  auto sending(Flow& flow, std::int32_t index) {
    return [ this, &flow, index ](std::int32_t packet) __attribute__((always_inline)) {
      observer_.packet_sent(index, packet, now_);
      ++counters_.packets_sent;
      flow.access_free = std::max(flow.access_free, now_) + groups_.of(index).access_time;
      sent_.push_back({flow.access_free + groups_.of(index).access_delay,
                       Payload(EventKind::kArrival, index, flow.transfer, packet).word()});
    };
  }

  // Sees to it that an event comes no later than the deadline. Moving a deadline back, the common case, costs
  // nothing: the event in the queue comes too early, finds the deadline not reached and is put back.
  void watch_deadline(Flow& flow, std::int32_t index) {
    if (flow.timer_event > flow.sender.deadline()) {
      flow.timer_event = flow.sender.deadline();
      events_.push(flow.timer_event, Payload(EventKind::kTimer, index, 0, 0).word());
    }
  }

  void on_timer(Flow& flow, std::int32_t index) {
    if (flow.timer_event != now_) {
      return;  // overtaken by an earlier deadline
    }
    flow.timer_event = kNever;
    if (flow.sender.deadline() == now_) {
      observer_.timed_out(index, flow.sender.timeout_state(), now_);
      flow.sender.on_timeout(groups_.of(index).limits, now_, sending(flow, index));
      check_backlog(std::max(flow.access_free, flow.egress_free), now_);
      observer_.window_moved(index, flow.sender.window_view(), now_);
    }
    watch_deadline(flow, index);
  }

  // Counted from the events still pending, so that the conservation of packets is a check and not a
  // definition.
  void count_packets_under_way(Counters& counters) const {
    if constexpr (kFair) {
      counters.packets_in_flight += static_cast<std::int64_t>(bottleneck_.present());
    }
    const auto count = [&](const Event& event) {
      switch (Payload(event.payload).kind()) {
        case EventKind::kArrival:
          ++counters.packets_in_flight;
          break;
        case EventKind::kAck:
          ++(event.time - groups_.of(Payload(event.payload).flow()).return_delay > now_
                 ? counters.packets_in_flight
                 : counters.packets_delivered);
          break;
        default:
          break;
      }
    };
    events_.for_each(count);
    for (const Flow& flow : flows_) {
      waiting_.for_each(flow.waiting, count);
    }
  }

  [[no_unique_address]] Observer observer_;
  Groups groups_;
  Picoseconds bottleneck_delay_;
  double loss_probability_;
  Picoseconds egress_time_;
  Picoseconds egress_delay_;

  Exponentials file_size_random_;
  Exponentials off_time_random_;
  Random loss_random_;
  CrossTraffic cross_traffic_;

  Queue bottleneck_;
  Occupancy active_;  // Zaragoza's birth-death module, at the entry of the bottleneck
  EventQueue events_;
  WaitingLists waiting_;
  std::vector<Sent> sent_;  // by the event being handled, in order of time
  std::vector<Flow> flows_;
  ReceiverPool rings_;

  Picoseconds now_ = 0;
  Counters counters_;
  ConnectionSums sums_;
  PacketSums packet_sums_;
  Picoseconds measured_since_ = 0;
  std::int64_t lost_before_ = 0;  // at random, in the warm-up
};

}  // namespace packetsim
