// The forward path of a dumbbell behind the senders' access links, that is the bottleneck with its queue and
// the egress links, and the acknowledgements' way back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/event.hpp"
#include "kit/main/clock.hpp"
#include "kit/point/point.hpp"
#include "kit/random/cross_traffic.hpp"
#include "kit/random/loss_process.hpp"
#include "kit/random/tie_rule.hpp"
#include "network/payload.hpp"
#include "network/source_groups.hpp"
#include "network/varying_delay.hpp"
#include "network/way_back.hpp"
#include "queues/drop_tail_queue.hpp"
#include "queues/make_queue.hpp"
#include "queues/varying_drop_tail_queue.hpp"
#include "tcp/ecn.hpp"

namespace packetsim {

// The handling of a packet from its arrival at the bottleneck on. `Receivers` are those of receivers.hpp,
// `Queue` and `Groups` as for Dumbbell.
template <class Receivers, class Queue, class Groups>
class ForwardPath : public Receivers {
  using Base = Receivers;

 protected:
  using Base::acknowledgements_, Base::arrivals_, Base::counters_, Base::events_, Base::groups_,
      Base::is_current, Base::kIsolatedFlow, Base::kObserved, Base::number_of, Base::observer_,
      Base::packet_in, Base::now_, Base::packet_sums_, Base::paths_, Base::sources_, Base::stopped_;
  using typename Base::Path;

  static constexpr bool kDeparts = requires { typename Queue::Packet; };  // departures are asked for
  static constexpr bool kMarks = requires(typename Queue::Packet packet) { packet.ecn; };

  std::int64_t marked_ = 0;  // packets, since the warm-up

  // A packet between the bottleneck and its receiver.
  struct Held {
    Payload payload{0};
    Picoseconds arrival = 0;  // at the bottleneck
    std::int32_t packet = 0;  // that is carried; 0: of an earlier transfer
    std::int32_t hop = 1;     // that it comes to next, if its group passes that
  };

  struct NextHop {
    VaryingDropTailQueue queue;
    Picoseconds delay;
  };

  template <class Observer>
  ForwardPath(const Point& point, std::uint64_t seed, Observer observer)
      : Base(point, seed, std::move(observer)),
        losses_(point.dumbbell().bottleneck, seed),
        delay_(point.dumbbell().bottleneck, seed),
        way_back_(point, seed),
        detours_(point.dumbbell().has_detours()),
        cross_traffic_(point.cross_traffic, point.bytes_of(point.cross_traffic.packet_bytes), seed),
        bottleneck_(queue_of(point, seed)),
        bottleneck_delay_(picoseconds(point.dumbbell().bottleneck.delay_s)),
        marks_(point.dumbbell().bottleneck.ecn.value_or(true)),
        highest_(delay_.reorders() ? paths_.size() : 0) {
    for (const kit::Hop& hop : point.dumbbell().hops) {
      Link link(transmission_time(point.packet_bytes, hop.rate_bit_per_s));
      if (point.has_sizes()) {
        link.carry_sizes(point.sizes(), point.packet_bytes);
      }
      hops_.push_back({{hop.buffer_packets, std::move(link), {}}, picoseconds(hop.delay_s)});
    }
  }

  // kPlain: without random loss and cross traffic.
  template <bool kInOrder, bool kPlain = false>
  [[gnu::always_inline]] void arrive(const Event& arrival) {
    const Picoseconds now = arrival.time;
    const Payload payload(arrival.payload);
    Path& path = paths_[payload.flow()];
    if (payload.high() != path.transfer) [[unlikely]] {
      if constexpr (Groups::kMany) {
        if (payload.kind() != EventKind::kPacket) {
          payload.kind() == EventKind::kHeld ? receive_held(arrival) : come_back(arrival);
          return;
        }
        if (groups_.of(payload.flow()).elsewhere()) {
          arrive_elsewhere(path, payload, arrival);
          return;
        }
      }
      see_transfer(path, payload, now);
    }
    if constexpr (kDeparts) {
      depart_until<kInOrder>(now);
      dropped_.clear();
      typename Queue::Packet arriving{arrival.payload, now};
      if constexpr (kMarks) {
        const bool capable = marks_ && path.ecn.active() && EcnBits::has(payload.number(), EcnBits::kCapable);
        arriving.ecn = capable ? Ecn::kCapable : Ecn::kNotCapable;
      }
      bottleneck_.arrive(payload.flow(), arriving,
                         [this](const auto& packet) { dropped_.push_back(packet.payload); });
      report_arrival(payload, now);
      for (const std::uint64_t packet : dropped_) {
        drop(Payload(packet));
      }
    } else {
      if constexpr (!kPlain) {
        take_in_cross_traffic(now);
      }
      const Picoseconds departure = bottleneck_.arrive(now, payload.flow());
      report_arrival(payload, now);
      if (departure == kNever) [[unlikely]] {
        drop(payload);
        if constexpr (kIsolatedFlow) {
          stop_at_loss_event(now);
        }
      } else {
        carry<kInOrder, kPlain>(path, payload, now, departure, now);
      }
    }
  }

  // The first packet of a connection.
  [[gnu::noinline]] void see_transfer(Path& path, Payload payload, Picoseconds now) {
    path.transfer = payload.high();
    path.receiver.start();
    path.ecn.start();
    if (!groups_.of(payload.flow()).persistent) {
      this->see_file(payload.flow(), now);
    }
  }

  // Admits the cross traffic that is due, which precedes a source's packet of the same instant.
  [[gnu::always_inline]] void take_in_cross_traffic(Picoseconds now) {
    if constexpr (!kDeparts && !kIsolatedFlow) {
      for (; cross_traffic_.next() <= now; cross_traffic_.advance()) {
        const Picoseconds departure = bottleneck_.arrive(cross_traffic_.next(), cross_flow());
        ++packet_sums_.cross_arrived;
        if (departure == kNever) {
          ++packet_sums_.cross_dropped;
        } else {
          packet_sums_.cross_delay_ps += static_cast<double>(departure - cross_traffic_.next());
        }
      }
    }
  }

  // Where departures are asked for, cross traffic is a flow behind those of the sources.
  std::size_t cross_flow() const { return paths_.size(); }
  static constexpr bool kCrossFlow = kDeparts && Groups::kMany;

  // The next of its packets comes, before anything else happens at the queue.
  [[gnu::noinline]] void arrive_of_cross_flow() {
    if constexpr (kCrossFlow) {
      typename Queue::Packet arriving{Payload(EventKind::kPacket, cross_flow(), 0, 0).word(),
                                      cross_traffic_.next()};
      cross_traffic_.advance();
      ++packet_sums_.cross_arrived;
      dropped_.clear();
      bottleneck_.arrive(cross_flow(), arriving,
                         [this](const auto& packet) { dropped_.push_back(packet.payload); });
      for (const std::uint64_t packet : dropped_) {
        drop(Payload(packet));
      }
    }
  }

  [[gnu::always_inline]] void report_arrival(Payload payload, [[maybe_unused]] Picoseconds now) {
    if constexpr (kObserved) {
      if (is_current(payload)) {
        observer_.packet_arrived(number_of(payload.flow()), packet_in(payload),
                                 bottleneck_.found_on_arrival(), now);
      }
    }
  }

  void drop(Payload payload) {
    if (kCrossFlow && payload.flow() == cross_flow()) {
      ++packet_sums_.cross_dropped;
      return;
    }
    ++counters_.packets_dropped;
    if constexpr (kObserved) {
      if (is_current(payload)) {
        observer_.packet_dropped(number_of(payload.flow()), packet_in(payload));
      }
    }
  }

  [[gnu::noinline]] void stop_at_loss_event(Picoseconds now) {
    observer_.dropped(sources_.front().sender.window_view().cwnd, now);
    stopped_ = observer_.events() >= loss_events_wanted_;
  }

  template <bool kInOrder>
  [[gnu::always_inline]] void depart_until([[maybe_unused]] Picoseconds now) {
    if constexpr (kDeparts) {
      for (;;) {
        if constexpr (kCrossFlow) {
          if (cross_traffic_.next() <= now && cross_traffic_.next() < bottleneck_.next_departure())
              [[unlikely]] {
            arrive_of_cross_flow();
            continue;
          }
        }
        const Picoseconds departure = bottleneck_.next_departure();
        if (departure > now) {
          return;
        }
        ++counters_.events;
        const typename Queue::Packet packet =
            bottleneck_.depart([this](const auto& dropped) { drop(Payload(dropped.payload)); });
        Payload payload(packet.payload);
        if constexpr (kMarks) {
          if (packet.ecn == Ecn::kMarked) {
            payload = Payload(packet.payload | std::uint64_t{EcnBits::kMarked});
            ++marked_;
          }
        }
        if constexpr (kCrossFlow) {
          if (payload.flow() == cross_flow()) [[unlikely]] {
            packet_sums_.cross_delay_ps += static_cast<double>(departure - packet.arrived);
            continue;
          }
        }
        __builtin_prefetch(paths_.data() + bottleneck_.prefetch_next(), 1);
        // What a departure causes comes before what is caused at the same time.
        carry<kInOrder>(paths_[payload.flow()], payload, packet.arrived, departure, departure - 1);
      }
    }
  }

  // From the bottleneck's queue to the receiver, and its acknowledgement back.
  template <bool kInOrder, bool kPlain = false>
  [[gnu::always_inline]] void carry(Path& path, Payload payload, Picoseconds arrival, Picoseconds departure,
                                    Picoseconds cause) {
    if (!kPlain && losses_.loses(departure)) [[unlikely]] {
      ++counters_.packets_lost;
      return;
    }
    if constexpr (Groups::kMany) {
      if (detours_) [[unlikely]] {
        carry_on_detour(payload, arrival, departure, cause);
        return;
      }
    }
    const Group& group = groups_.of(payload.flow());
    const Picoseconds answered = pass_egress(path, payload, group, arrival, departure + bottleneck_delay_);
    if (!kPlain && group.receivers_act) [[unlikely]] {
      if (group.ends_at_receiver) {
        this->deliver(path, payload, answered - group.return_delay,
                      this->is_selective(payload.flow()) && !group.delay);
      }
      if (group.delay) {
        this->template answer_delayed<kDeparts>(path, payload, group, cause);
        return;
      }
    }
    const Event answer{answered, cause,
                       payload.with_number(this->template answer_to<kDeparts>(path, payload)).word()};
    if constexpr (kInOrder) {
      acknowledgements_.push(answer);
    } else {
      events_.push(answer);
    }
  }

  // The egress queue is worked off at the link's own rate, so its delay can be added at the end. Returns when
  // the acknowledgement is back.
  [[gnu::always_inline]] Picoseconds pass_egress(Path& path, Payload payload, const Group& group,
                                                 Picoseconds arrival, Picoseconds there) {
    path.egress_free = std::max(path.egress_free, there) + group.egress_time;
    const Picoseconds answered = path.egress_free + group.way_back;
    const Picoseconds round_trip = answered - arrival + group.way_there;
    if constexpr (!kIsolatedFlow) {
      ++packet_sums_.carried;
      packet_sums_.round_trip_ps += static_cast<double>(round_trip);
      groups_.count_carried(number_of(payload.flow()), round_trip);
    }
    return answered;
  }

  // The same where the delay varies, or acknowledgements queue.
  [[gnu::noinline]] void carry_on_detour(Payload payload, Picoseconds arrival, Picoseconds departure,
                                         Picoseconds cause) {
    const Picoseconds there = delay_.any() ? delay_.arrival(departure) : departure + bottleneck_delay_;
    const Held packet{payload, arrival, is_current(payload) ? packet_in(payload) : 0};
    const bool goes_on = delay_.reorders() || groups_.of(payload.flow()).last_hop > 0;
    goes_on ? hold(packet, there) : receive_on_detour(packet, there, cause);
  }

  // A packet of a group that does not begin at the bottleneck gets to its first queue. Its path's `transfer`
  // is of no flow's event, so that none is taken for a packet at the bottleneck.
  [[gnu::noinline]] void arrive_elsewhere(Path& path, Payload payload, const Event& arrival) {
    const Group& group = groups_.of(payload.flow());
    if (path.transfer != elsewhere(payload)) {
      see_transfer(path, payload, arrival.time);
      path.transfer = elsewhere(payload);
    }
    const Held packet{payload, arrival.time, is_current(payload) ? packet_in(payload) : 0, group.first_hop};
    if (!group.returns) {
      enter_hop(packet, arrival.time);
      return;
    }
    const Picoseconds sent = way_back_.carry(arrival.time, group.bytes, packet_sums_);
    if (sent == kNever) {
      drop(payload);
      return;
    }
    path.egress_free = sent + group.to_receiver;
    groups_.count_carried(number_of(payload.flow()),
                          path.egress_free + group.way_back - arrival.time + group.way_there);
    answer_on_detour(packet, path.egress_free + group.way_back, arrival.cause);
  }

  static std::uint32_t elsewhere(Payload packet) { return ~packet.of_kind(EventKind::kPacket).high(); }

  void enter_hop(Held packet, Picoseconds now) {
    NextHop& hop = hops_[static_cast<std::size_t>(packet.hop - 1)];
    const Picoseconds departure = hop.queue.arrive(now, packet.payload.flow());
    if (departure == kNever) {
      drop(packet.payload);
      return;
    }
    ++packet.hop;
    hold(packet, departure + hop.delay);
  }

  // Where packets overtake one another, or another link follows, each is an event of its own at the end of a
  // link.
  void hold(const Held& packet, Picoseconds there) {
    if (free_places_.empty()) {
      free_places_.push_back(held_.size());
      held_.emplace_back();
    }
    const std::size_t place = free_places_.back();
    free_places_.pop_back();
    held_[place] = packet;
    arrivals_.push(
        {there, now_,
         packet.payload.of_kind(EventKind::kHeld).with_number(static_cast<std::int32_t>(place)).word()});
  }

  [[gnu::noinline]] void receive_held(const Event& event) {
    const auto place = static_cast<std::size_t>(Payload(event.payload).number());
    free_places_.push_back(place);
    const Held packet = held_[place];
    if (packet.hop <= groups_.of(packet.payload.flow()).last_hop) {
      enter_hop(packet, event.time);
    } else {
      receive_on_detour(packet, event.time, event.cause);
    }
  }

  void receive_on_detour(const Held& held, Picoseconds there, Picoseconds cause) {
    const std::size_t flow = held.payload.flow();
    const Picoseconds answered =
        pass_egress(paths_[flow], held.payload, groups_.of(flow), held.arrival, there);
    answer_on_detour(held, answered, cause);
  }

  // A sender with selective acknowledgements knows packets by their transmissions; one that a later one has
  // overtaken is told by its own number (see kLateArrival).
  void answer_on_detour(const Held& held, Picoseconds answered, Picoseconds cause) {
    const Payload payload = held.payload;
    Path& path = paths_[payload.flow()];
    const Group& group = groups_.of(payload.flow());
    const bool selective = this->is_selective(payload.flow());
    if (group.ends_at_receiver) {
      this->deliver(path, payload, answered - group.return_delay, selective && !group.delay);
    }
    const bool seen = path.transfer == (group.elsewhere() ? elsewhere(payload) : payload.high());
    const bool current = is_current(payload) && seen;
    const bool late = selective && current && delay_.reorders() && is_late(payload);
    Arrival arrival{path.egress_free};
    if (current) {
      arrival = this->arrival_of(path, payload, held.packet);
    }
    if (selective && current && group.delay) {
      path.receiver.receive(held.packet);
    }
    Payload answer = payload.with_number(seen ? this->template answer_to<false>(path, payload) : 0);
    if (late) {
      answer = payload.of_kind(EventKind::kHeld).with_number(held.packet | kLateArrival);
    }
    ToWayBack to_queue{arrivals_};
    const auto send = [&](auto& answers, auto& delayed) {
      if (group.delay && current) {  // nobody waits for a packet of an earlier transfer
        this->FlowEvents::answer_delayed({answer, cause, arrival}, *group.delay, group.way_back, delayed);
      } else {
        answers.push({answered, cause, answer.word()});
      }
    };
    way_back_.any() && !group.returns ? send(to_queue, to_queue) : send(acknowledgements_, events_);
  }

  // An acknowledgement gets to the queue on its way.
  [[gnu::noinline]] void come_back(const Event& event) {
    const std::size_t flow = Payload(event.payload).flow();
    way_back_.enter(event, groups_.of(flow).after_queue, packet_sums_,
                    [&](const Event& answer, Picoseconds waited) {
                      const Picoseconds more = waited + groups_.of(flow).after_queue;
                      packet_sums_.round_trip_ps += static_cast<double>(more);
                      groups_.count_waited(number_of(flow), more);
                      acknowledgements_.push(answer);
                    });
  }

  // Whether a transmission of the flow that was sent later has arrived.
  bool is_late(Payload payload) {
    std::uint64_t& highest = highest_[payload.flow()];
    const std::uint64_t connection = std::uint64_t{payload.high()} << 32;
    const std::uint32_t number = static_cast<std::uint32_t>(payload.number()) & EcnBits::kNumber;
    const std::uint32_t behind = (static_cast<std::uint32_t>(highest) - number) & EcnBits::kNumber;
    if ((highest >> 32 << 32) == connection && behind < EcnBits::kNumber / 2) {
      return behind > 0;
    }
    highest = connection | number;
    return false;
  }

  LossProcess losses_;
  VaryingDelay delay_;
  WayBack way_back_;
  std::vector<NextHop> hops_;  // behind the bottleneck
  bool detours_;               // packets are carried by other rules than those of a constant delay
  CrossTraffic cross_traffic_;
  Queue bottleneck_;
  std::int64_t loss_events_wanted_ = 0;

 private:
  static Queue queue_of(const Point& point, [[maybe_unused]] std::uint64_t seed) {
    const Bottleneck& bottleneck = point.dumbbell().bottleneck;
    Link link(bottleneck, point.packet_bytes);
    if (point.has_sizes()) {
      link.carry_sizes(point.sizes(), point.packet_bytes);
    }
    if constexpr (kDeparts) {
      const bool cross_flow = point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone;
      return make_queue<Queue>(bottleneck,
                               static_cast<std::size_t>(point.source_count()) + (cross_flow ? 1 : 0),
                               point.packet_bytes, link, seed);
    } else if constexpr (std::is_same_v<Queue, DropTailQueue>) {
      const Picoseconds service_time = transmission_time(point.packet_bytes, bottleneck.rate_bit_per_s);
      return DropTailQueue(bottleneck.buffer_packets, service_time, TieRule(bottleneck.ties, seed));
    } else {
      return VaryingDropTailQueue(bottleneck.buffer_packets, std::move(link), TieRule(bottleneck.ties, seed));
    }
  }

  Picoseconds bottleneck_delay_;
  bool marks_;                          // packets whose senders understand that
  std::vector<std::uint64_t> dropped_;  // by the last arrival

  std::vector<Held> held_;  // where packets overtake one another
  std::vector<std::size_t> free_places_;
  std::vector<std::uint64_t> highest_;  // of each flow, the last of its transmissions that has arrived
};

}  // namespace packetsim
