// Events at the ends of flows, in any topology: starts, retransmission timers, and receivers that delay their
// acknowledgements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "network/event_queues.hpp"
#include "network/payload.hpp"
#include "tcp/delayed_receiver.hpp"

namespace packetsim {

class FlowEvents : protected EventQueues {
 protected:
  using EventQueues::EventQueues;

  // What gets to a receiver that delays acknowledgements.
  struct Delayable {
    Payload ack;        // the packet's
    Picoseconds cause;  // when it was known
    Arrival arrival;
  };

  [[gnu::noinline]] void push(Picoseconds time, EventKind kind, std::size_t flow, std::int32_t number = 0) {
    events_.push({time, now_, Payload(kind, flow, 0, number).word()});
  }

  // Sees to it that an event comes no later than the deadline; `timer_event` is when the next one comes.
  // Moving a deadline back, the common case, costs nothing: the event in the queue comes too early, finds the
  // deadline not reached and is put back.
  [[gnu::always_inline]] void watch_deadline(Picoseconds deadline, Picoseconds& timer_event,
                                             std::size_t flow) {
    if (timer_event > deadline) [[unlikely]] {
      timer_event = deadline;
      push(deadline, EventKind::kTimer, flow);
    }
  }

  // That event comes. At the deadline, act() does what the sender does then, and moves it.
  template <class Deadline, class Act>
  void on_timer(Picoseconds& timer_event, std::size_t flow, Deadline deadline, Act act) {
    if (timer_event != now_) {
      return;  // overtaken by an earlier deadline
    }
    timer_event = kNever;
    if (deadline() <= now_) {
      act();
    }
    watch_deadline(deadline(), timer_event, flow);
  }

  // Pushes the acknowledgements that the receiver sends into `answers`, for when the sender has them.
  template <class Answers>
  [[gnu::noinline]] void answer_delayed(const Delayable& packet, const DelayedReceiver::Rules& rules,
                                        Picoseconds way_back, Answers& answers) {
    const std::size_t flow = packet.ack.flow();
    DelayedReceiver& receiver = delayed_[flow];
    receiver.see_connection(packet.ack.high(), rules);
    receiver.receive(
        packet.arrival, {packet.cause, packet.ack.word()}, rules,
        [&](Picoseconds sent, const DelayedReceiver::Ack& ack) {
          answers.push({sent + way_back, ack.cause, ack.payload});
        },
        // What goes with another packet's acknowledgement comes right before that.
        [&](Picoseconds sent, const DelayedReceiver::Ack& held) {
          answers.push(
              {sent + way_back - 1, held.cause, Payload(held.payload).of_kind(EventKind::kHeld).word()});
        });
    watch_receiver(flow, way_back);
  }

  // The event of a receiver's timer comes. Calls answer(event) if it sets an acknowledgement free, which is
  // back now, and before that for each one that goes with it.
  template <class Answer>
  void on_receiver_timer(std::size_t flow, const DelayedReceiver::Rules& rules, Picoseconds way_back,
                         Answer answer) {
    delayed_[flow].on_timer(
        now_, way_back, rules,
        [&](Picoseconds /*sent*/, const DelayedReceiver::Ack& ack) {
          answer({now_, ack.cause, ack.payload});
        },
        [&](Picoseconds /*sent*/, const DelayedReceiver::Ack& held) {
          answer({now_, held.cause, Payload(held.payload).of_kind(EventKind::kHeld).word()});
        });
    watch_receiver(flow, way_back);
  }

  // Of each flow, if any receivers delay acknowledgements. What one does with a packet is known as soon as
  // the shared queue lets it pass, so they are ahead of the senders' time.
  std::vector<DelayedReceiver> delayed_;
  Picoseconds now_ = 0;  // of the last event

 private:
  // Sees to it that an event comes when an acknowledgement that the receiver's timer sets free is back.
  void watch_receiver(std::size_t flow, Picoseconds way_back) {
    DelayedReceiver& receiver = delayed_[flow];
    if (const Picoseconds time = receiver.watch(way_back); time != kNever) {
      events_.push({time, receiver.held().cause, Payload(EventKind::kTimer, flow, 0, kReceiverTimer).word()});
    }
  }
};

}  // namespace packetsim
