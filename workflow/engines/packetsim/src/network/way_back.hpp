// The link over which acknowledgements come back, where it has a queue, and packets of sources that send that
// way.
#pragma once

#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "kit/events/event.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/point.hpp"
#include "kit/random/random.hpp"
#include "kit/random/tie_rule.hpp"
#include "network/payload.hpp"
#include "queues/link.hpp"
#include "queues/varying_drop_tail_queue.hpp"

namespace packetsim {

// On their way to the queue, acknowledgements are events among the packets', of other kinds.
template <class Arrivals>
struct ToWayBack {
  Arrivals& arrivals;

  void push(const Event& answer) {
    const Payload payload(answer.payload);
    const bool held = payload.kind() == EventKind::kHeld;
    arrivals.push(
        {answer.time, answer.cause, payload.of_kind(held ? EventKind::kStart : EventKind::kTimer).word()});
  }
};

// What an acknowledgement that is lost would have told, the next one of its flow tells: it says what has
// arrived so far, and which of it beyond a hole (RFC 2018).
class WayBack {
 public:
  WayBack(const Point& point, std::uint64_t seed)
      : link_(point.dumbbell().way_back.value_or(kit::ReturnLink{.rate_bit_per_s = 1, .buffer_packets = 1})),
        queue_(link_.buffer_packets, Link(transmission_time(point.ack_bytes, link_.rate_bit_per_s)), {}),
        random_(seed, kit::Stream::kReturnLoss),
        unheard_(point.dumbbell().way_back ? static_cast<std::size_t>(point.source_count()) : 0) {}

  bool any() const { return !unheard_.empty(); }

  // One gets to the queue, or what waits for one (kHeld) and takes no room. Calls hear(event, waited) for all
  // that the sender hears `delay` after the link has sent it, with the time since it got here.
  template <class Hear>
  void enter(const Event& event, Picoseconds delay, PacketSums& sums, Hear hear) {
    Event answer = event;
    const bool held = Payload(event.payload).kind() == EventKind::kStart;
    answer.payload = Payload(event.payload).of_kind(held ? EventKind::kHeld : EventKind::kPacket).word();
    std::vector<Event>& unheard = unheard_[Payload(event.payload).flow()];
    if (held && Payload(event.payload).number() >= 0) {
      unheard.push_back(answer);
      return;
    }
    ++sums.acks;
    const Picoseconds sent = queue_.arrive(event.time);
    if (sent == kNever || loses()) {
      ++sums.acks_lost;
      answer.payload = Payload(answer.payload).of_kind(EventKind::kHeld).word();
      unheard.push_back(answer);
      return;
    }
    sums.ack_delay_ps += static_cast<double>(sent - event.time);
    const auto transfer = [](const Event& of) { return Payload(of.payload).transfer(); };
    if (!unheard.empty() && transfer(unheard.back()) == transfer(answer)) {
      for (const Event& before : unheard) {
        hear({sent + delay - 1, answer.cause, before.payload}, sent - before.time);
      }
      unheard.clear();
    }
    hear({sent + delay, answer.cause, answer.payload}, sent - event.time);
  }

  // A source's packet of so many bytes gets to the queue. Returns when the link has sent it; kNever: it is
  // lost.
  Picoseconds carry(Picoseconds now, std::int32_t bytes, PacketSums& sums) {
    ++sums.returning;
    const Picoseconds packet_time = transmission_time(bytes, link_.rate_bit_per_s);
    const Picoseconds sent = queue_.arrive(now, [&](Picoseconds ready) { return ready + packet_time; });
    if (sent == kNever || loses()) {
      ++sums.returning_lost;
      return kNever;
    }
    sums.returning_delay_ps += static_cast<double>(sent - now);
    return sent;
  }

  // Packets that have arrived, of which no acknowledgement is under way.
  std::int64_t unheard() const {
    std::int64_t count = 0;
    for (const std::vector<Event>& flow : unheard_) {
      count += static_cast<std::int64_t>(flow.size());
    }
    return count;
  }

 private:
  bool loses() { return link_.loss_probability > 0 && random_.uniform() <= link_.loss_probability; }

  kit::ReturnLink link_;
  VaryingDropTailQueue queue_;
  kit::Random random_;
  std::vector<std::vector<Event>> unheard_;  // of each flow
};

}  // namespace packetsim
