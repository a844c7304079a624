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
#include "kit/events/event.hpp"
#include "kit/main/clock.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/observer.hpp"
#include "network/forward_path.hpp"
#include "network/payload.hpp"
#include "network/receivers.hpp"
#include "network/source_groups.hpp"
#include "queues/drop_tail_queue.hpp"
#include "tcp/delayed_receiver.hpp"

// An event loop is compiled with all that it calls as one function. The sanitizers' checks make that function
// too large to compile in reasonable time; with them, its parts stay apart.
#ifdef __SANITIZE_ADDRESS__
#define PACKETSIM_EVENT_LOOP
#else
#define PACKETSIM_EVENT_LOOP [[gnu::flatten]]
#endif

namespace packetsim {

// Two events a packet: its arrival at the bottleneck and the arrival of its acknowledgement at the sender.
// Everything between them is known as soon as the packet is accepted, because all queues on the way are FIFO.
// Any other queue than drop-tail at the bottleneck adds a third: the packet's departure from it.
//
// Time goes on in windows: first all events at the senders in order, then all arrivals at the bottleneck in
// order; or else in one order (see schedule.hpp). Nothing overtakes the packets of a flow that is alone: they
// reach the bottleneck as they are sent, and an acknowledgement is one event.
//
// Of events at the same time the one whose cause came first is the first; of those with the same cause, a
// sender's.
//
// `Congestion` is the TCP variant (see variants.hpp), `Observer` the probes (see observer.hpp), `Queue` the
// bottleneck's: a DropTailQueue, a VaryingDropTailQueue or one of make_queue.hpp, as the point must have it
// too. `Groups` is OneGroup, or ManyGroups with a Congestion that is made of a variant's name.
template <class Congestion, class Observer = NoObserver, class Queue = DropTailQueue, class Groups = OneGroup>
class Dumbbell;

template <class Congestion, class Observer, class Queue, class Groups>
using DumbbellReceivers = Receivers<std::conditional_t<std::is_same_v<Observer, kit::LossEvents>,
                                                       Dumbbell<Congestion, Observer, Queue, Groups>, void>,
                                    Congestion, Observer, Groups>;

template <class Congestion, class Observer, class Queue, class Groups>
class Dumbbell : public ForwardPath<DumbbellReceivers<Congestion, Observer, Queue, Groups>, Queue, Groups> {
  using Base = ForwardPath<DumbbellReceivers<Congestion, Observer, Queue, Groups>, Queue, Groups>;

 public:
  Dumbbell(const Point& point, std::uint64_t seed, Observer observer = {})
      : Base(point, seed, std::move(observer)),
        plain_(!losses_.any() && cross_traffic_.next() == kNever && delayed_.empty()) {}

  // Runs until `connections` connections have been completed since the start of the run.
  // Throws Unsupported where the clock ends before.
  void run_until_completed(std::int64_t connections) {
    run(connections, kClockEnd);
    present_ = now_;
    if (counters_.connections_completed < connections) {
      clock_ended();
    }
  }

  // Runs until the sources have sent so many packets since the measurements began. Throws as
  // run_until_completed.
  void run_until_sent(std::int64_t packets) {
    packets_wanted_ = sent_before_ + packets;
    run(INT64_MAX, kClockEnd);
    present_ = now_;
    if (counters_.packets_sent < packets_wanted_) {
      clock_ended();
    }
    packets_wanted_ = INT64_MAX;
  }

  // Runs until `end`; or past it, where nothing on the way is an event of its own, until the packets that the
  // last event sent have reached the bottleneck.
  void run_until(Picoseconds end) {
    run(INT64_MAX, end);
    present_ = std::max(present_, end);
    if (!detours_) {
      deliver_sent_last();
    }
  }

  // Runs until the first drop of the `events`-th loss event since the start. Throws as run_until_completed.
  void run_until_loss_event(std::int64_t events) {
    static_assert(kIsolatedFlow);
    loss_events_wanted_ = events;
    run(1, kClockEnd);
    present_ = now_;
    if (observer_.events() < events) {
      stopped_ ? kit::numbers_ended() : clock_ended();
    }
  }

  // A packet reaches the bottleneck as it is sent, ahead of the senders' time.
  [[gnu::always_inline]] void arrive_alone(const Event& arrival) { this->template arrive<true>(arrival); }

  // Discards the measurements of the warm-up; counters go on.
  void restart_measurements() {
    catch_up();
    sent_before_ = counters_.packets_sent;
    sums_ = {};
    observer_.warm_up_ended(present_);
    packet_sums_ = {};
    marked_ = 0;
    measured_since_ = present_;
    acknowledged_before_ -= acknowledged();
    lost_before_ = counters_.packets_lost;
    groups_.restart();
    this->count_beyond_holes(-1);
    bottleneck_.restart_monitor(present_);
    for (auto& hop : hops_) {
      hop.queue.restart_monitor(present_);
    }
    active_.restart(present_);
  }

  Measurements measurements() {
    catch_up();
    bottleneck_.close_monitor(present_);
    active_.close(present_);
    observer_.measured_until(present_);
    Measurements result{.end = present_,
                        .measured = present_ - measured_since_,
                        .counters = counters_,
                        .connections = sums_,
                        .packets = packet_sums_,
                        .queue_time_at = bottleneck_.time_at(),
                        .queue_arrivals_at = bottleneck_.arrivals_at(),
                        .queue_drops = bottleneck_.drops(),
                        .random_losses = counters_.packets_lost - lost_before_,
                        .active_time_at = active_.time_at()};
    result.packets.acknowledged = acknowledged();
    if constexpr (kMarks) {
      result.marks = marked_;
    }
    for (auto& hop : hops_) {
      hop.queue.close_monitor(present_);
      result.hops.push_back({hop.queue.time_at(), hop.queue.arrivals_at(), hop.queue.drops()});
    }
    if constexpr (Groups::kMany) {
      if (groups_.reports()) {
        this->count_beyond_holes(1);
        result.groups = groups_.measurements();
        for (std::size_t flow = 0; flow < sources_.size(); ++flow) {
          if (!sources_[flow].sender.done()) {
            result.groups[groups_.group_of(Base::number_of(flow))].own_time +=
                this->own_time(sources_[flow], present_);
          }
        }
        result.acknowledged = groups_.acknowledged();
        this->count_beyond_holes(-1);
      }
    }
    count_packets_under_way(result.counters);
    return result;
  }

 private:
  using Base::active_, Base::acknowledged, Base::acknowledged_before_, Base::acknowledgements_,
      Base::arrivals_, Base::bottleneck_, Base::connections_wanted_, Base::count_ends, Base::counters_,
      Base::cross_traffic_, Base::delayed_, Base::detours_, Base::events_, Base::groups_, Base::handle,
      Base::handled_until_, Base::hops_, Base::kCrossFlow, Base::kIsolatedFlow, Base::kDeparts, Base::kMarks,
      Base::kObserved, Base::loss_events_wanted_, Base::losses_, Base::marked_, Base::measured_since_,
      Base::now_, Base::observer_, Base::packet_sums_, Base::paths_, Base::prefetch, Base::schedule_,
      Base::sources_, Base::stopped_, Base::stopped_by_, Base::sums_, Base::take_in_cross_traffic,
      Base::way_back_;

  static constexpr std::ptrdiff_t kAhead = 8;  // events whose sources are fetched into the cache in advance

  void run(std::int64_t connections, Picoseconds end) {
    timed_ = end != kClockEnd;
    connections_wanted_ = connections;
    stopped_ = counters_.connections_completed >= connections;
    if constexpr (kIsolatedFlow) {
      stopped_ = observer_.events() >= loss_events_wanted_;
      run_alone();
    } else if constexpr (kObserved) {
      run_in_order(end);
    } else {
      schedule_.in_order ? run_in_order(end) : run_in_windows(end);
    }
  }

  // --- In order ---

  PACKETSIM_EVENT_LOOP void run_in_order(Picoseconds end) {
    while (!stopped_ && counters_.packets_sent < packets_wanted_ &&
           this->step(*this, bottleneck_.next_departure(), end)) {
    }
  }

  friend class EventQueues;
  [[gnu::always_inline]] void departed(Picoseconds now) { this->template depart_until<true>(now); }
  [[gnu::always_inline]] void handle_next(bool is_ack) {
    handle(is_ack ? acknowledgements_.pop() : events_.pop());
  }
  [[gnu::always_inline]] void arrived(const Event& event) {
    if (timed_) {
      note_order(event);
    }
    this->template arrive<true>(event);
  }

  // --- Alone ---

  // Of an acknowledgement and a timeout at the same time the acknowledgement is the first.
  PACKETSIM_EVENT_LOOP void run_alone() {
    while (!stopped_) {
      const Picoseconds own = events_.next_time();
      const Picoseconds ack = acknowledgements_.next_time();
      if (std::min(own, ack) > kClockEnd) {
        return;
      }
      handle(ack <= own ? acknowledgements_.pop() : events_.pop());
    }
  }

  // --- In windows ---

  void run_in_windows(Picoseconds end) {
    while (!stopped_) {
      // Windows in which nothing happens are passed over if nothing is on its way to the bottleneck or in it.
      const bool idle = arrivals_.empty() && bottleneck_.next_departure() == kNever;
      const Picoseconds first = idle ? events_.next_time() : reached_;
      if (first > end) {
        return;
      }
      const Picoseconds window = ((first >> schedule_.shift) + 1) << schedule_.shift;
      handle_until(std::min(window, end + 1));
      reached_ = stopped_ ? now_ : std::min(window, end + 1);
      if constexpr (kDeparts) {
        arrive_until<false>(reached_, end);
      } else {
        plain_ ? arrive_until<true>(reached_, end) : arrive_until<false>(reached_, end);
      }
    }
  }

  PACKETSIM_EVENT_LOOP void handle_until(Picoseconds window) {
    handled_until_ = window;
    events_.next_time(window);  // opens the bin
    while (events_.begin()->time < handled_until_) {
      prefetch(events_.begin()[kAhead]);
      handle(events_.pop());
    }
  }

  template <bool kPlain>
  PACKETSIM_EVENT_LOOP void arrive_until(Picoseconds window, Picoseconds end) {
    const Picoseconds noted_from = end == kClockEnd ? kNever : now_;
    arrivals_.take_until(
        window, [&](const Event& arrival, std::uint64_t ahead) __attribute__((always_inline)) {
          __builtin_prefetch(&paths_[Payload(ahead).flow()], 1);
          bottleneck_.prefetch(Payload(ahead).flow());
          if (arrival.time >= noted_from) [[unlikely]] {
            note_order(arrival);
          }
          this->template arrive<false, kPlain>(arrival);
        });
    // The acknowledgement that ends the run may have been caused later than packets that arrive with it.
    while (stopped_ && arrivals_.next_time() == now_ && arrivals_.front().cause < stopped_by_) {
      arrive_late(arrivals_.pop());
    }
    this->template depart_until<false>(stopped_ ? window : window - 1);
  }

  [[gnu::noinline]] void arrive_late(Event arrival) {
    schedule_.in_order ? this->template arrive<true>(arrival) : this->template arrive<false>(arrival);
  }

  // --- At the end of a run ---

  // Whether a packet that was sent before the last event arrived after it.
  void note_order(const Event& arrival) {
    if (arrival.time >= now_ && arrival.cause < now_) {
      older_arrived_ = now_;
    }
  }

  // Packets sent at the time of the last event arrive, if nothing comes before.
  void deliver_sent_last() {
    while (older_arrived_ != now_ &&
           arrivals_.next_time() <
               std::min({events_.next_time(), acknowledgements_.next_time(), bottleneck_.next_departure()}) &&
           arrivals_.front().cause == now_) {
      present_ = std::max(present_, arrivals_.next_time());
      arrive_late(arrivals_.pop());
    }
  }

  // Brings the bottleneck to the present.
  void catch_up() {
    take_in_cross_traffic(present_);
    if (kCrossFlow && cross_traffic_.next() <= present_) {
      schedule_.in_order ? this->template depart_until<true>(present_)
                         : this->template depart_until<false>(present_);
    }
    count_ends(present_);
  }

  // Counted from the events still pending, so that the conservation of packets is a check and not a
  // definition.
  void count_packets_under_way(Counters& counters) const {
    if constexpr (kDeparts) {
      bottleneck_.for_each([&](const auto& packet) {
        counters.packets_in_flight += Payload(packet.payload).flow() < paths_.size() ? 1 : 0;
      });
    }
    // Beside those counted: each acknowledgement's, and each packet's that has reached the bottleneck.
    counters.events += counters.packets_delivered + (kIsolatedFlow ? 0 : counters.packets_sent);
    counters.packets_delivered += way_back_.unheard();
    arrivals_.for_each([&](const Event& event) {
      const EventKind kind = Payload(event.payload).kind();
      const bool forth = kind == EventKind::kPacket || kind == EventKind::kHeld;
      ++(forth ? counters.packets_in_flight : counters.packets_delivered);
      counters.events -= kind == EventKind::kPacket ? 1 : 0;
    });
    const auto count = [&](const Event& event) {
      const Payload payload(event.payload);
      if (payload.kind() == EventKind::kPacket || payload.kind() == EventKind::kHeld) {
        ++(event.time - groups_.of(payload.flow()).return_delay > present_ ? counters.packets_in_flight
                                                                           : counters.packets_delivered);
      }
    };
    events_.for_each(count);
    acknowledgements_.for_each(count);
    for (const DelayedReceiver& delayed : delayed_) {
      delayed.for_each_held([&](const DelayedReceiver::Ack& held, Picoseconds deadline) {
        count({deadline + groups_.of(Payload(held.payload).flow()).way_back, 0, held.payload});
      });
    }
  }

  bool plain_;
  Picoseconds present_ = 0;                  // the end of the last run
  Picoseconds reached_ = 0;                  // the end of the last window
  Picoseconds older_arrived_ = -1;           // see note_order()
  std::int64_t lost_before_ = 0;             // at random, in the warm-up
  std::int64_t packets_wanted_ = INT64_MAX;  // to be sent
  std::int64_t sent_before_ = 0;             // in the warm-up
  bool timed_ = false;                       // the run ends at a given time
};

}  // namespace packetsim

#undef PACKETSIM_EVENT_LOOP
