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
#include "network/event_queues.hpp"
#include "network/loop_connections.hpp"
#include "network/user_path.hpp"
#include "tcp/delayed_receiver.hpp"
#include "tcp/receiver.hpp"

namespace packetsim {

// What they send is pushed into arrivals_; the shared router hands what leaves it to carry() and what it
// drops to lose(). They know nothing of its queue, so that they are compiled once for all queues.
//
// `Connection` is one of loop_connections.hpp.
template <class Connection>
class LoopSenders : protected EventQueues {
  enum class Kind : std::uint64_t {
    kPacket,  // a packet reaches the shared router, or its acknowledgement the source
    kLoss,    // a packet is lost at the loaded router
    kStart,   // a think time ends
    kTimer    // a retransmission timer may have run out, or a receiver's (kReceiverTimer)
  };
  // Among acknowledgements, where there is no start: that of a packet which waited for the next one's.
  static constexpr Kind kHeld = Kind::kStart;
  static constexpr int kMarkBits = 42;
  static constexpr Mark kReceiverTimer = 1;  // the mark of its event; that of a sender's is 0

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
    Picoseconds pause = 0;             // before the next burst
    Picoseconds timer_event = kNever;  // when the next event of the retransmission timer comes
  };

  // A receiver that delays acknowledgements, and when it gets the last packet of a burst whose end is still
  // to be acknowledged.
  struct Delayed {
    DelayedReceiver receiver;
    Picoseconds burst_arrived = kNever;
  };

 protected:
  LoopSenders(const kit::local_loop::Settings& settings, const typename Connection::Rules& rules,
              std::uint64_t seed)
      : EventQueues(bin_shift(settings.users)),
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
        users_.back().connection.seed(seed ^ static_cast<std::uint64_t>(user) << 40);
      }
    }
    if constexpr (!Connection::kSeesLosses) {
      if (rules_.delayed_ack) {
        delayed_.resize(users);
        delay_ = picoseconds(rules_.delayed_ack->timeout_s);
      }
    }
    for (std::size_t user = 0; user < users; ++user) {
      push(draws_.start(), Kind::kStart, user);
    }
  }

  [[gnu::always_inline]] void handle_own(const Event& event) {
    begin(event);
    take_own(event.payload);
  }
  [[gnu::always_inline]] void handle_ack(const Event& event) {
    begin(event);
    take_next_ack(event.payload);
  }

  void lose(std::uint64_t payload) {
    monitor_.dropped();
    if constexpr (Connection::kSeesLosses) {
      const std::size_t user = user_of(payload);
      users_[user].connection.on_loss(mark_of(payload), rules_, sending(user));
      watch_deadline(user);
    }
  }

  // To the destination, and the acknowledgement back. Nothing overtakes it: what the destination will answer
  // is known at once.
  void carry(std::uint64_t payload, Picoseconds sent, Picoseconds departure) {
    const std::size_t user = user_of(payload);
    User& of = users_[user];
    const Picoseconds delivered = path_.to_destination(of.free, departure);
    const Picoseconds answered = delivered + path_.return_delay();
    const Receipt receipt = of.connection.receive(mark_of(payload));
    monitor_.carried(answered - sent);
    if (delayed_.empty()) [[likely]] {
      acknowledgements_.push({answered, now_, word(Kind::kPacket, user, receipt.ack)});
    } else {
      answer_delayed(user, receipt, delivered);
    }
    if (!receipt.is_new) {
      return;
    }
    monitor_.delivered(user, delivered);
    if (--of.burst_left == 0) {
      const bool at_source = settings_.readings.on_time_ends == kit::local_loop::Readings::OnTimeEnd::kSource;
      if (at_source && !delayed_.empty()) {
        delayed_[user].burst_arrived = delivered;
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
      counters.packets_in_flight += static_cast<Kind>(event.payload >> 62) == Kind::kLoss ? 1 : 0;
    });
    acknowledgements_.for_each([&](const Event& event) {
      ++(event.time - path_.return_delay() > now_ ? counters.packets_in_flight : counters.packets_delivered);
    });
    counters.packets_in_flight +=
        std::ranges::count_if(delayed_, [](const Delayed& one) { return one.receiver.holds(); });
  }

  void begin(const Event& event) {
    now_ = event.time;
    ++monitor_.counters().events;
  }

  static std::uint64_t word(Kind kind, std::size_t user, Mark mark) {
    return static_cast<std::uint64_t>(kind) << 62 | static_cast<std::uint64_t>(user) << kMarkBits | mark;
  }
  static std::size_t user_of(std::uint64_t word) { return word >> kMarkBits & 0xfffff; }
  static Mark mark_of(std::uint64_t word) { return word & ((Mark{1} << kMarkBits) - 1); }

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
  std::vector<Delayed> delayed_;  // of each user, if acknowledgements are delayed
  Picoseconds delay_ = 0;         // of these

  Picoseconds now_ = 0;

 private:
  static int bin_shift(std::int32_t users) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(picoseconds(8) / users)));
  }

  void push(Picoseconds time, Kind kind, std::size_t user, Mark mark = 0) {
    events_.push({time, now_, word(kind, user, mark)});
  }

  void take_own(std::uint64_t payload) {
    const std::size_t user = user_of(payload);
    switch (static_cast<Kind>(payload >> 62)) {
      case Kind::kStart:
        start_burst(user);
        break;
      case Kind::kTimer:
        mark_of(payload) == kReceiverTimer ? on_receiver_timer(user) : on_timer(user);
        break;
      case Kind::kLoss:
        lose(payload);
        break;
      case Kind::kPacket:
        break;
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
    watch_deadline(user);
  }

  // The last packet of the burst has reached the destination; the user is on until `end`.
  void end_burst(std::size_t user, Picoseconds arrived, Picoseconds end) {
    User& of = users_[user];
    const double think_s = draws_.think_time();
    monitor_.burst_ended(of.burst_packets, of.burst_began, arrived, end, think_s);
    of.pause = LoopUsers::pause(think_s);
    push(end + of.pause, Kind::kStart, user);
  }

  void take_next_ack(std::uint64_t payload) {
    prefetch(user_of(acknowledgements_.payload_ahead(EventLine::kAhead)));
    const std::uint64_t soon = acknowledgements_.payload_ahead(EventLine::kAhead / 2);
    users_[user_of(soon)].connection.prefetch(mark_of(soon));
    path_.prefetch_load(now_, users_[user_of(soon)].offset);
    take_ack(payload);
  }

  void take_ack(std::uint64_t payload) {
    const std::size_t user = user_of(payload);
    Connection& connection = users_[user].connection;
    ++monitor_.counters().packets_delivered;
    if constexpr (!Connection::kSeesLosses) {
      if (static_cast<Kind>(payload >> 62) == kHeld) [[unlikely]] {
        connection.on_held(mark_of(payload));
        return;
      }
    }
    monitor_.sampled(connection.on_ack(mark_of(payload), rules_, now_, sending(user)));
    watch_deadline(user);
    if constexpr (!Connection::kSeesLosses) {
      if (!delayed_.empty() && delayed_[user].burst_arrived != kNever && connection.done()) [[unlikely]] {
        end_burst(user, std::exchange(delayed_[user].burst_arrived, kNever), now_);
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
      if (crossing.lost) {
        push(crossing.arrival, Kind::kLoss, user, mark);
      } else {
        arrivals_.push({crossing.arrival, crossing.sent, word(Kind::kPacket, user, mark)});
      }
      return crossing.sent;
    };
  }

  // As in a dumbbell (see senders.hpp): an event comes no later than the deadline; one that comes too early
  // is put back.
  void watch_deadline(std::size_t user) {
    User& of = users_[user];
    const Picoseconds deadline = of.connection.deadline(rules_);
    if (deadline < of.timer_event) {
      of.timer_event = deadline;
      push(deadline, Kind::kTimer, user);
    }
  }

  void on_timer(std::size_t user) {
    User& of = users_[user];
    if (of.timer_event != now_) {
      return;  // overtaken by an earlier deadline
    }
    of.timer_event = kNever;
    if (of.connection.deadline(rules_) <= now_ && !of.connection.release(now_, sending(user))) {
      ++monitor_.sums().timeouts;
      of.connection.on_timeout(rules_, now_, sending(user));
      check_backlog(*std::ranges::max_element(of.free), now_);
    }
    watch_deadline(user);
  }

  // As in a dumbbell (see receivers.hpp).
  void answer_delayed(std::size_t user, const Receipt& receipt, Picoseconds delivered) {
    if constexpr (!Connection::kSeesLosses) {
      DelayedReceiver& receiver = delayed_[user].receiver;
      const Picoseconds back = path_.return_delay();
      receiver.see_connection(static_cast<std::uint32_t>(receipt.ack >> 32), rules_.delayed_ack->quick_acks);
      receiver.receive(
          delivered, {now_, word(Kind::kPacket, user, receipt.ack)}, receipt.in_order, false, delay_,
          [&](Picoseconds sent, const DelayedReceiver::Ack& ack) {
            acknowledgements_.push({sent + back, ack.cause, ack.payload});
          },
          [&](const DelayedReceiver::Ack& held) {
            acknowledgements_.push({delivered + back - 1, now_, word(kHeld, user, mark_of(held.payload))});
          });
      watch_receiver(user);
    }
  }

  void watch_receiver(std::size_t user) {
    DelayedReceiver& receiver = delayed_[user].receiver;
    if (const Picoseconds time = receiver.watch(path_.return_delay()); time != kNever) {
      events_.push({time, receiver.held().cause, word(Kind::kTimer, user, kReceiverTimer)});
    }
  }

  void on_receiver_timer(std::size_t user) {
    if (const auto ack = delayed_[user].receiver.on_timer(now_, path_.return_delay())) {
      take_ack(ack->payload);
    } else {
      watch_receiver(user);
    }
  }
};

}  // namespace packetsim
