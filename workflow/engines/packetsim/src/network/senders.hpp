// The senders of a dumbbell: their events, and the packets that these send over the access links.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/event.hpp"
#include "kit/events/ring_queue.hpp"
#include "kit/main/clock.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/most_packets.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/loss_events.hpp"
#include "kit/probes/observer.hpp"
#include "kit/probes/occupancy.hpp"
#include "kit/random/distributions.hpp"
#include "kit/random/random.hpp"
#include "network/flow_events.hpp"
#include "network/payload.hpp"
#include "network/schedule.hpp"
#include "network/source_groups.hpp"
#include "network/way_back.hpp"
#include "tcp/delayed_receiver.hpp"
#include "tcp/ecn.hpp"
#include "tcp/file_series.hpp"
#include "tcp/receiver.hpp"
#include "tcp/sender.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

// What comes back to the senders is pushed into events_, what they send into arrivals_; or it reaches the
// bottleneck as it is sent (see Dumbbell::run_alone): the Dumbbell of a lone flow is the `Network`. Others
// have none (void), so that senders are compiled once for all queues. The other parameters are the
// Dumbbell's.
template <class Network, class Congestion, class Observer, class Groups>
class Senders : protected FlowEvents {
 public:
  const Observer& observer() const { return observer_; }

 protected:
  using SenderType = typename SenderOf<Congestion>::Type;

  static constexpr bool kIsolatedFlow = std::is_same_v<Observer, kit::LossEvents>;  // see Dumbbell::run_alone
  static constexpr bool kObserved = !kIsolatedFlow && !std::is_same_v<Observer, NoObserver>;

  // What an event needs of a source.
  struct alignas(64) Source {
    explicit Source(const Tcp& tcp) : sender(tcp) {}

    SenderType sender;
    Picoseconds started = 0;
    Picoseconds access_free = 0;       // when the access link has sent what it was given
    Picoseconds timer_event = kNever;  // when the next event of the retransmission timer comes
    Payload transfer{0};               // of its packets, without their number
  };

  // What a packet needs at the bottleneck and behind it, in one cache line.
  struct alignas(64) Path {
    Picoseconds egress_free = 0;  // when the egress link has sent what it was given
    Receiver receiver;
    std::uint32_t transfer = 0;  // Payload::high() of the last that has reached the bottleneck
    EcnReceiver ecn;
  };

  // The files of a persistent connection.
  struct User {
    FileSeries files;
    std::int32_t file_packets = 0;  // of the present file
    std::int32_t undelivered = 0;   // of these
    Picoseconds pause = 0;          // before it
  };

  Senders(const Point& point, std::uint64_t seed, Observer observer)
      : FlowEvents(Schedule(point, kObserved).shift),
        observer_(std::move(observer)),
        schedule_(point, kObserved),
        groups_(point),
        file_size_random_(Draws::of_sizes(seed)),
        off_time_random_(Draws::of_times(seed)),
        paths_(static_cast<std::size_t>(point.source_count())),
        users_(groups_.any_persistent() ? paths_.size() : 0),
        active_(paths_.size() + 1) {
    delayed_.resize(groups_.any_delays() ? paths_.size() : 0);
    if constexpr (kIsolatedFlow) {
      groups_.start_at(observer_.first_threshold(seed));
    }
    Random start_random(seed, Stream::kStart);
    sources_.reserve(paths_.size());
    for (std::size_t flow = 0; flow < paths_.size(); ++flow) {
      const Group& group = groups_.of(flow);
      sources_.emplace_back(group.tcp);
      sources_[flow].transfer = Payload(EventKind::kPacket, flow, 0, 0);
      sources_[flow].sender.seed(seed ^ static_cast<std::uint64_t>(flow) << 40, flow);
      if (Groups::kMany && group.arrives) {
        if (flow == 0 || &groups_.of(flow - 1) != &group) {
          push(draw_gap(group), EventKind::kStart, flow, kFileArrives);
        }
        continue;
      }
      push(group.off_time.draw_first(group.workload, off_time_random_) +
               draw_start(group.workload.start_spread_s, start_random) + group.start,
           EventKind::kStart, flow);
    }
  }

  [[gnu::always_inline]] void handle(const Event& event) {
    now_ = event.time;
    const Payload payload(event.payload);
    Source& source = sources_[payload.flow()];
    if (!payload.is_of(source.transfer)) [[unlikely]] {
      handle_other(payload);
    } else if (on_ack(source, payload)) {
      stopped_by_ = event.cause;
    }
  }

  // Fetches what an event to come needs into the cache.
  void prefetch(const Event& event) const {
    const auto* const source = reinterpret_cast<const char*>(&sources_[Payload(event.payload).flow()]);
    __builtin_prefetch(source, 1);
    __builtin_prefetch(source + 64, 1);
  }

  // Packets of an earlier transfer are not reported.
  bool is_current(Payload payload) const {
    return payload.high() == sources_[payload.flow()].transfer.high();
  }

  // Packets acknowledged for the first time since the warm-up. Those behind a hole count when a selective
  // acknowledgement tells of them: else what came in the warm-up would be credited after it, and more seem to
  // arrive than the link carries.
  std::int64_t acknowledged() const {
    std::int64_t sum = acknowledged_before_;
    for (const Source& source : sources_) {
      sum += source.sender.una() - 1 + source.sender.beyond_hole();
    }
    return sum;
  }

  // Credits the groups with what flows have beyond holes, or takes it back (-1).
  void count_beyond_holes(std::int32_t sign) {
    for (std::size_t flow = 0; flow < sources_.size(); ++flow) {
      groups_.count_acknowledged(number_of(flow), sign * sources_[flow].sender.beyond_hole());
    }
  }

  // The first packet of a file gets to the bottleneck.
  void see_file(std::size_t flow, Picoseconds now) {
    count_ends(now);
    active_.move_to(active_.level() + 1, now);
    observer_.transfer_seen_at_bottleneck(number_of(flow), active_.level());
  }

  void count_ends(Picoseconds now) {
    for (; !ends_.empty() && ends_.front() <= now; ends_.pop()) {
      active_.move_to(active_.level() - 1, ends_.front());
    }
  }

  // A packet gets to the receiver at a time that is still to come; a file of which it is the last one may end
  // there.
  void deliver(Path& path, Payload payload, Picoseconds at, bool receives) {
    const std::size_t flow = payload.flow();
    if (!payload.is_of(sources_[flow].transfer) || path.receiver.has(packet_in(payload))) {
      return;
    }
    if (receives) {
      path.receiver.receive(packet_in(payload));
    }
    if (--users_[flow].undelivered == 0) {
      push(at, EventKind::kStart, flow, kFileDelivered);
    }
  }

  // The packet that is carried: a sender with selective acknowledgements numbers transmissions.
  std::int32_t packet_in(Payload payload) const {
    return sources_[payload.flow()].sender.packet_of(payload.number());
  }

  // From its start until now, without the warm-up.
  Picoseconds own_time(const Source& source, Picoseconds now) const {
    return now - std::max(source.started, measured_since_);
  }

  // As observers and groups count the flows.
  static std::int32_t number_of(std::size_t flow) { return static_cast<std::int32_t>(flow); }

  [[no_unique_address]] Observer observer_;
  Schedule schedule_;
  Groups groups_;
  Draws file_size_random_;
  Draws off_time_random_;
  RingQueue<Picoseconds> ends_;  // of transfers, of which the bottleneck has not yet been told
  std::vector<Source> sources_;
  std::vector<Path> paths_;
  std::vector<User> users_;  // of each flow, if any group's connections are persistent
  Occupancy active_;         // Zaragoza's birth-death module, at the entry of the bottleneck

  std::int64_t connections_wanted_ = 0;
  bool stopped_ = false;           // all the connections wanted have been completed
  Picoseconds stopped_by_ = 0;     // the cause of the event that completed the last one
  Picoseconds handled_until_ = 0;  // the end of the window, 0 once stopped
  Picoseconds measured_since_ = 0;
  Counters counters_;
  ConnectionSums sums_;
  PacketSums packet_sums_;

  std::int64_t acknowledged_before_ = 0;  // in transfers before the sources' last ones, less the warm-up's

 private:
  // What is no acknowledgement of the source's transfer.
  [[gnu::noinline]] void handle_other(Payload payload) {
    Source& source = sources_[payload.flow()];
    if (payload.kind() == EventKind::kPacket) {
      ++counters_.packets_delivered;
      return;
    }
    if (payload.kind() == EventKind::kHeld) {
      ++counters_.packets_delivered;
      if (payload.of_kind(EventKind::kPacket).is_of(source.transfer)) {
        if constexpr (Groups::kMany) {
          if (payload.number() < 0) {
            on_late_arrival(source, payload);
            return;
          }
        }
        const std::int32_t una = source.sender.una();
        source.sender.on_delayed_ack(payload.number());
        groups_.count_acknowledged(number_of(payload.flow()), source.sender.una() - una);
      }
      return;
    }
    ++counters_.events;
    if (payload.kind() == EventKind::kStart) {
      on_start(source, payload);
    } else if (payload.number() != kReceiverTimer) {
      on_sender_timer(source, payload.flow());
    } else {
      on_receiver_timer(payload.flow());
    }
  }

  // What the timer sets free is an event, so that it has its place among those of this time.
  [[gnu::noinline]] void on_receiver_timer(std::size_t flow) {
    const Group& group = groups_.of(flow);
    const auto answer = [&](const Event& ack) {
      if constexpr (Groups::kMany) {
        if (group.after_queue != kNever) {
          ToWayBack{arrivals_}.push(ack);
          return;
        }
      }
      events_.push(ack);
    };
    FlowEvents::on_receiver_timer(flow, *group.delay, group.way_back, answer);
  }

  // A packet has arrived that later ones have overtaken. What it makes the window grow by, and losses that it
  // tells of, come with the next acknowledgement.
  void on_late_arrival(Source& source, Payload payload) {
    const std::size_t flow = payload.flow();
    const bool was_recovering = source.sender.in_recovery();
    const std::int32_t una = source.sender.una();
    const bool ends = source.sender.take_late(payload.number() & INT32_MAX);
    groups_.count_acknowledged(number_of(flow), source.sender.una() - una);
    if (ends) {
      complete(source, flow, kObserved && was_recovering);
    }
    if (source.sender.done()) {
      return;
    }
    source.sender.resume(0, groups_.of(flow).limits, now_, sending(source, flow));
    observer_.acknowledged(number_of(flow), was_recovering, source.sender.in_recovery(), now_);
    report_window(source, flow);
    watch_sender(source, flow);
  }

  void on_start(Source& source, Payload payload) {
    const std::size_t flow = payload.flow();
    if (Groups::kMany && payload.number() == kFileStopped) {
      stop_transfer(source, flow);
    } else if (Groups::kMany && payload.number() == kFileArrives) {
      admit(flow);
    } else if (!groups_.of(flow).persistent) [[likely]] {
      start_transfer(source, flow);
    } else if (payload.number() == kFileAtBottleneck) {
      see_file(flow, now_);
    } else if (payload.number() == kFileDelivered) {
      observer_.transfer_completed(number_of(flow), source.sender.in_recovery(), now_ - source.started, now_);
      end_transfer(source, flow, users_[flow].file_packets);
    } else {
      start_file(source, flow);
    }
  }

  void start_transfer(Source& source, std::size_t flow) {
    begin_connection(source, flow);
    source.started = now_;
    if constexpr (Groups::kMany) {
      if (groups_.of(flow).length != kNever) {
        push(groups_.of(flow).stop_after(now_), EventKind::kStart, flow, kFileStopped);
      }
    }
    const std::int32_t file_packets = groups_.of(flow).file_sizes.draw(file_size_random_);
    observer_.transfer_started(number_of(flow), file_packets);
    source.sender.start(file_packets, groups_.of(flow).limits, now_, sending(source, flow));
    observer_.window_started(number_of(flow), source.sender.window_view(), now_);
    watch_sender(source, flow);
  }

  // A file or a page arrives by itself at the group of a source.
  [[gnu::noinline]] void admit(std::size_t first) {
    if constexpr (Groups::kMany) {
      const Group& group = groups_.of(first);
      push(now_ + draw_gap(group), EventKind::kStart, first, kFileArrives);
      const auto begin = [&](std::size_t flow) {
        if (group.persistent) {
          users_[flow] = {};
          start_file(sources_[flow], flow);
        } else {
          start_transfer(sources_[flow], flow);
        }
      };
      groups_.count_arrival(number_of(first),
                            groups_.pool().admit(groups_.group_of(number_of(first)), now_, begin));
    }
  }

  Picoseconds draw_gap(const Group& group) {
    return kit::pause_of(group.gap_s * off_time_random_.exponential());
  }

  // A source has carried a file that arrived.
  [[gnu::noinline]] void end_arrived(std::size_t flow) {
    if constexpr (Groups::kMany) {
      const FlowPool::Done done = groups_.pool().carried(groups_.group_of(number_of(flow)), flow);
      if (done.another) {
        push(now_, EventKind::kStart, flow);
      } else if (done.arrived && groups_.of(flow).persistent) {
        observer_.page_completed(number_of(flow), now_ - *done.arrived);
      }
    }
  }

  // A bulk source that comes and goes does so.
  [[gnu::noinline]] void stop_transfer(Source& source, std::size_t flow) {
    const bool was_recovering = source.sender.in_recovery();
    if (!source.sender.done() && source.sender.end_file()) {
      complete(source, flow, was_recovering);
    }
  }

  // On a persistent connection.
  [[gnu::noinline]] void start_file(Source& source, std::size_t flow) {
    const Group& group = groups_.of(flow);
    User& user = users_[flow];
    source.started = now_;
    user.file_packets = user.undelivered = group.file_sizes.draw(file_size_random_);
    observer_.transfer_started(number_of(flow), user.file_packets);
    push(now_ + group.way_there, EventKind::kStart, flow, kFileAtBottleneck);
    // A function of its own, so that the sender's code in start_transfer() stays a part of that.
    const auto send = [sending = sending(source, flow)](std::int32_t packet) { sending(packet); };
    user.files.carry_next(
        user.file_packets, user.pause > group.long_pause, source.sender, group.limits, now_,
        [&] { begin_connection(source, flow); }, send);
    observer_.window_started(number_of(flow), source.sender.window_view(), now_);
    watch_sender(source, flow);
  }

  void begin_connection(Source& source, std::size_t flow) {
    acknowledged_before_ += source.sender.una() - 1;
    const std::uint64_t transfer = (source.transfer.transfer() + 1) % Payload::kTransfers;
    source.transfer = Payload(EventKind::kPacket, flow, transfer, 0);
  }

  // Returns whether it ends the run.
  [[gnu::always_inline]] bool on_ack(Source& source, Payload payload) {
    ++counters_.packets_delivered;
    const std::size_t flow = payload.flow();
    if constexpr (kObserved) {
      if (source.sender.done() && !groups_.of(flow).persistent) {
        return false;
      }
    }
    if constexpr (kObserved) {
      observer_.acknowledgement(number_of(flow), source.sender.missing_after(payload.number()), now_);
    }
    const bool was_recovering = source.sender.in_recovery();
    const std::int32_t una = source.sender.una();
    const bool completed = take_ack(source, payload.number(), flow, [this](Picoseconds sample) {
      ++sums_.rtt_samples;
      sums_.rtt_s += seconds(sample);
    });
    groups_.count_acknowledged(number_of(flow), source.sender.una() - una);
    if (completed) [[unlikely]] {
      return complete(source, flow, kObserved && was_recovering);
    }
    observer_.acknowledged(number_of(flow), was_recovering, source.sender.in_recovery(), now_);
    report_window(source, flow);
    watch_sender(source, flow);
    return false;
  }

  template <class Sampled>
  [[gnu::always_inline]] bool take_ack(Source& source, std::int32_t number, std::size_t flow,
                                       Sampled sampled) {
    if constexpr (kIsolatedFlow && requires { source.sender.window(); }) {
      return source.sender.on_ack_inlined(number, now_, sending(source, flow), sampled);
    } else {
      return source.sender.on_ack(number, groups_.of(flow).limits, now_, sending(source, flow), sampled);
    }
  }

  // The sender has no more to send and all of it is acknowledged. Returns whether it ends the run.
  [[gnu::noinline]] bool complete(Source& source, std::size_t flow, bool was_recovering) {
    const Group& group = groups_.of(flow);
    if (group.ends_at_receiver) {
      observer_.acknowledged(number_of(flow), was_recovering, source.sender.in_recovery(), now_);
      report_window(source, flow);
      return false;
    }
    observer_.transfer_completed(number_of(flow), was_recovering, now_ - source.started, now_);
    end_transfer(source, flow, group.persistent ? users_[flow].file_packets : source.sender.file_packets());
    return stopped_;
  }

  void end_transfer(Source& source, std::size_t flow, std::int32_t packets) {
    ++counters_.connections_completed;
    if constexpr (Groups::kMany) {
      if (groups_.of(flow).workload.comes_and_goes()) {
        end_visit(source, flow, packets);
        return;
      }
    }
    ++sums_.connections;
    sums_.packets += packets;
    sums_.duration += now_ - source.started;
    groups_.count_connection(number_of(flow), packets, now_ - source.started);
    ends_.push(now_);
    if (Groups::kMany && groups_.of(flow).arrives) {
      end_arrived(flow);
    } else {
      const Picoseconds pause = groups_.of(flow).off_time.draw(off_time_random_);
      if (groups_.of(flow).persistent) {
        users_[flow].pause = pause;
      }
      push(now_ + pause, EventKind::kStart, flow);
    }
    if (counters_.connections_completed >= connections_wanted_) {
      stopped_ = true;
      handled_until_ = 0;
    } else if (groups_.of(flow).workload.bulk()) {
      kit::numbers_ended();
    }
  }

  // Of a source that comes and goes.
  [[gnu::noinline]] void end_visit(const Source& source, std::size_t flow, std::int32_t packets) {
    if (packets == kit::kMostPackets) {
      kit::numbers_ended();
    }
    groups_.count_own_time(number_of(flow), own_time(source, now_));
    ends_.push(now_);
    if (const Group& group = groups_.of(flow); group.period != kNever) {
      push(group.next_start(source.started, now_), EventKind::kStart, flow);
    }
  }

  [[gnu::always_inline]] void report_window(const Source& source, std::size_t flow) {
    if constexpr (kIsolatedFlow) {
      if constexpr (requires { source.sender.window().last_round_trip(); }) {
        observer_.follow(source.sender.window(), now_);
      }
    } else {
      observer_.window_moved(number_of(flow), source.sender.window_view(), now_);
    }
  }

  // Returns the function that sends a packet of this flow over its access link.
  auto sending(Source& source, std::size_t flow) {
    return [ this, &source, flow, now = now_ ](std::int32_t packet) __attribute__((always_inline)) {
      if constexpr (kObserved) {
        observer_.packet_sent(number_of(flow), source.sender.packet_of(packet), now);
      }
      ++counters_.packets_sent;
      source.access_free = std::max(source.access_free, now) + groups_.of(flow).access_time;
      const Event arrival{source.access_free + groups_.of(flow).access_delay, now,
                          source.transfer.word() + static_cast<std::uint64_t>(packet)};
      if constexpr (kIsolatedFlow) {
        static_cast<Network*>(this)->arrive_alone(arrival);
      } else {
        arrivals_.push(arrival);
      }
    };
  }

  [[gnu::always_inline]] void watch_sender(Source& source, std::size_t flow) {
    watch_deadline(source.sender.deadline(), source.timer_event, flow);
  }

  void on_sender_timer(Source& source, std::size_t flow) {
    on_timer(
        source.timer_event, flow, [&] { return source.sender.deadline(); },
        [&] {
          if (!source.sender.release(now_, sending(source, flow))) {
            observer_.timed_out(number_of(flow), source.sender.timeout_state(), now_);
            source.sender.on_timeout(groups_.of(flow).limits, now_, sending(source, flow));
            check_backlog(std::max(source.access_free, paths_[flow].egress_free), now_);
            report_window(source, flow);
          }
        });
  }
};

}  // namespace packetsim
