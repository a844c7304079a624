// The senders of a local loop: users' connections, their events, and the way of their packets but for the
// shared router.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/event.hpp"
#include "kit/events/event_line.hpp"
#include "kit/local_loop/loop_monitor.hpp"
#include "kit/local_loop/loop_users.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/main/clock.hpp"
#include "kit/main/measurements.hpp"
#include "network/flow_events.hpp"
#include "network/loop_connections.hpp"
#include "network/payload.hpp"
#include "network/user_path.hpp"
#include "tcp/delayed_receiver.hpp"
#include "tcp/receiver.hpp"

namespace packetsim {

// What they send is pushed into arrivals_; the shared router hands what leaves it to carry() and what it
// drops to lose(). They know nothing of its queue, so that they are compiled once for all queues.
//
// `Connection` is one of loop_connections.hpp.
template <class Connection>
class LoopSenders : protected FlowEvents {
  struct User {
    User(const typename Connection::Rules& rules, Picoseconds offset_in_load)
        : connection(rules), offset(offset_in_load) {}

    Connection connection;
    UserPath::Free free{};
    Picoseconds offset;  // where the user reads the load of the backbone
    std::int64_t sent = 0;
    std::int64_t burst_packets = 0;
    std::int64_t burst_left = 0;  // of these, to be delivered
    Picoseconds burst_began = 0;
    Picoseconds burst_arrived = kNever;  // all of it, though not all of that is acknowledged
    Picoseconds pause = 0;               // before the next burst
    Picoseconds timer_event = kNever;    // when the next event of the retransmission timer comes
  };

 protected:
  LoopSenders(const kit::local_loop::Settings& settings, const typename Connection::Rules& rules,
              std::uint64_t seed)
      : FlowEvents(bin_shift(settings.users)),
        settings_(settings),
        rules_(rules),
        idle_(picoseconds(settings.tcp.idle_s)),
        path_(settings, seed),
        draws_(settings, path_.period(), seed),
        monitor_(settings),
        rings_(Connection::kSeesLosses ? 0 : static_cast<std::size_t>(settings.users),
               settings.tcp.max_window) {
    const auto users = static_cast<std::size_t>(settings.users);
    users_.reserve(users);
    for (std::size_t user = 0; user < users; ++user) {
      users_.emplace_back(rules_, draws_.offset());
      if constexpr (!Connection::kSeesLosses) {
        rings_.give_ring_to(users_.back().connection.receiver(), user);
        users_.back().connection.seed(seed ^ static_cast<std::uint64_t>(user) << 40, user);
      }
    }
    if constexpr (!Connection::kSeesLosses) {
      delayed_.resize(rules_.delay ? users : 0);
    }
    for (std::size_t user = 0; user < users; ++user) {
      push(draws_.start(), EventKind::kStart, user);
    }
  }

  [[gnu::always_inline]] void handle_next(bool is_ack) {
    const Event event = is_ack ? acknowledgements_.pop() : events_.pop();
    begin(event);
    is_ack ? take_next_ack(Payload(event.payload)) : take_own(Payload(event.payload));
  }

  void lose(Payload payload) {
    monitor_.dropped();
    if constexpr (Connection::kSeesLosses) {
      const std::size_t user = payload.flow();
      users_[user].connection.on_loss(payload.mark(), rules_, sending(user));
      watch_sender(user);
    }
  }

  // To the destination, and the acknowledgement back. Nothing overtakes it: what the destination will answer
  // is known at once.
  void carry(Payload payload, Picoseconds sent, Picoseconds departure) {
    const std::size_t user = payload.flow();
    User& of = users_[user];
    const Picoseconds delivered = path_.to_destination(of.free, departure);
    const Picoseconds answered = delivered + path_.return_delay();
    Receipt receipt = of.connection.receive(payload.mark());
    const Payload ack = payload.with_mark(receipt.ack);
    monitor_.carried(answered - sent);
    if (delayed_.empty()) [[likely]] {
      acknowledgements_.push({answered, now_, ack.word()});
    } else if constexpr (!Connection::kSeesLosses) {
      receipt.arrival.received = delivered;
      answer_delayed({ack, now_, receipt.arrival}, *rules_.delay, path_.return_delay(), acknowledgements_);
    }
    if (!receipt.is_new) {
      return;
    }
    monitor_.delivered(user, delivered);
    if (--of.burst_left == 0) {
      const bool at_source = settings_.readings.on_time_ends == kit::local_loop::Readings::OnTimeEnd::kSource;
      if (at_source && !delayed_.empty()) {
        of.burst_arrived = delivered;
      } else {
        end_burst(user, delivered, at_source ? answered : delivered);
      }
    }
  }

  // Counted from the events still pending, so that the conservation of packets is a check and not a
  // definition; but for packets at the shared router. Acknowledgements on their way back are of packets that
  // were delivered.
  void count_under_way(Counters& counters) const {
    arrivals_.for_each([&](const Event&) { ++counters.packets_in_flight; });
    events_.for_each([&](const Event& event) {
      counters.packets_in_flight += Payload(event.payload).kind() == EventKind::kPacket ? 1 : 0;
    });
    acknowledgements_.for_each([&](const Event& event) {
      ++(event.time - path_.return_delay() > now_ ? counters.packets_in_flight : counters.packets_delivered);
    });
    for (const DelayedReceiver& receiver : delayed_) {
      receiver.for_each_held(
          [&](const auto& /*held*/, Picoseconds /*deadline*/) { ++counters.packets_in_flight; });
    }
  }

  void begin(const Event& event) {
    now_ = event.time;
    ++monitor_.counters().events;
  }

  // Fetches a user into the cache.
  void prefetch(std::size_t user) const {
    const auto* const first = reinterpret_cast<const char*>(&users_[user]);
    for (std::size_t byte = 0; byte < sizeof(User); byte += 64) {
      __builtin_prefetch(first + byte, 1);
    }
  }

  kit::local_loop::Settings settings_;
  typename Connection::Rules rules_;
  Picoseconds idle_;
  UserPath path_;
  LoopUsers draws_;
  LoopMonitor monitor_;
  ReceiverPool rings_;
  std::vector<User> users_;

 private:
  static int bin_shift(std::int32_t users) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(picoseconds(8) / users)));
  }

  void take_own(Payload payload) {
    const std::size_t user = payload.flow();
    if (payload.kind() == EventKind::kStart) {
      start_burst(user);
    } else if (payload.kind() == EventKind::kPacket) {
      lose(payload);  // at the loaded router
    } else if (payload.number() != kReceiverTimer) {
      on_sender_timer(user);
    } else if constexpr (!Connection::kSeesLosses) {
      on_receiver_timer(user, *rules_.delay, path_.return_delay(),
                        [&](const Event& ack) { take_ack(Payload(ack.payload)); });
    }
  }

  void start_burst(std::size_t user) {
    User& of = users_[user];
    of.burst_packets = of.burst_left = draws_.burst();
    of.burst_began = now_;
    monitor_.burst_began(user, of.burst_packets, now_);
    const bool idle = of.pause > idle_;
    monitor_.sums().idle_restarts += idle ? 1 : 0;
    of.connection.start(of.burst_packets, idle, rules_, now_, sending(user));
    watch_sender(user);
  }

  // The last packet of the burst has reached the destination; the user is on until `end`.
  void end_burst(std::size_t user, Picoseconds arrived, Picoseconds end) {
    User& of = users_[user];
    const double think_s = draws_.think_time();
    monitor_.burst_ended(of.burst_packets, of.burst_began, arrived, end, think_s);
    of.pause = LoopUsers::pause(think_s);
    push(end + of.pause, EventKind::kStart, user);
  }

  void take_next_ack(Payload payload) {
    prefetch(Payload(acknowledgements_.payload_ahead(EventLine::kAhead)).flow());
    const Payload soon(acknowledgements_.payload_ahead(EventLine::kAhead / 2));
    users_[soon.flow()].connection.prefetch(soon.mark());
    path_.prefetch_load(now_, users_[soon.flow()].offset);
    take_ack(payload);
  }

  void take_ack(Payload payload) {
    const std::size_t user = payload.flow();
    User& of = users_[user];
    ++monitor_.counters().packets_delivered;
    if constexpr (!Connection::kSeesLosses) {
      if (payload.kind() == EventKind::kHeld) [[unlikely]] {
        of.connection.on_delayed_ack(payload.mark());
        return;
      }
    }
    monitor_.sampled(of.connection.on_ack(payload.mark(), rules_, now_, sending(user)));
    watch_sender(user);
    if constexpr (!Connection::kSeesLosses) {
      if (of.burst_arrived != kNever && of.connection.done()) [[unlikely]] {
        end_burst(user, std::exchange(of.burst_arrived, kNever), now_);
      }
    }
  }

  // Returns the function that sends a packet of this user; it returns when the transmission begins.
  auto sending(std::size_t user) {
    return [this, user](Mark mark) {
      User& of = users_[user];
      const UserPath::Crossing crossing = path_.to_shared(of.free, now_, of.offset);
      monitor_.sent();
      monitor_.transmitted(user, ++of.sent, crossing.sent);
      const std::uint64_t packet = Payload(EventKind::kPacket, user, 0, 0).with_mark(mark).word();
      if (crossing.lost) {
        events_.push({crossing.arrival, now_, packet});
      } else {
        arrivals_.push({crossing.arrival, crossing.sent, packet});
      }
      return crossing.sent;
    };
  }

  void watch_sender(std::size_t user) {
    User& of = users_[user];
    watch_deadline(of.connection.deadline(rules_), of.timer_event, user);
  }

  void on_sender_timer(std::size_t user) {
    User& of = users_[user];
    on_timer(
        of.timer_event, user, [&] { return of.connection.deadline(rules_); },
        [&] {
          if (!of.connection.release(now_, sending(user))) {
            ++monitor_.sums().timeouts;
            of.connection.on_timeout(rules_, now_, sending(user));
            check_backlog(*std::ranges::max_element(of.free), now_);
          }
        });
  }
};

}  // namespace packetsim
