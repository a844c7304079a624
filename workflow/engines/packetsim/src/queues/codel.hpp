// CoDel's drop law (RFC 8289), apart from the queue that it governs.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "kit.hpp"
#include "queues/managed_packet.hpp"

namespace packetsim {

struct CodelLimits {
  Picoseconds target = 5'000'000'000;      // sojourn time that is always acceptable (section 4.3)
  Picoseconds interval = 100'000'000'000;  // about the longest round-trip time (section 4.3)
};

// The state of one queue. Decides at each departure whether the packet at its head is dropped or marked.
class Codel {
 public:
  // Takes packets from the head of the queue until one may leave (section 5.5), and returns it; none if the
  // queue has been emptied. `pop()` returns the packet at the head, if there is one; `at_most_one_left()`
  // says whether no more than one is behind it; `drop(packet)` disposes of one. A packet that can be marked
  // is not dropped.
  template <class Pop, class AtMostOneLeft, class Drop>
  std::optional<ManagedPacket> dequeue(const CodelLimits& limits, Picoseconds now, Pop pop,
                                       AtMostOneLeft at_most_one_left, Drop drop) {
    const auto look = [&] { return take_head(limits, now, pop(), at_most_one_left); };
    Head head = look();
    if (!head.may_drop) {
      dropping_ = false;
      return head.packet;
    }
    if (!dropping_) {
      if (!mark(*head.packet)) {
        drop(*head.packet);
        head = look();
      }
      dropping_ = true;
      // A queue that was under control a short while ago starts at about the rate that controlled it.
      const std::int64_t last_cycle = count_ - last_count_;
      count_ = last_cycle > 1 && now - drop_next_ < kRecent * limits.interval ? last_cycle : 1;
      last_count_ = count_;
      drop_next_ = control_law(limits, now);
      return head.packet;
    }
    while (dropping_ && now >= drop_next_) {
      ++count_;
      if (mark(*head.packet)) {
        drop_next_ = control_law(limits, drop_next_);
        break;
      }
      drop(*head.packet);
      head = look();
      dropping_ = head.may_drop;
      if (dropping_) {
        drop_next_ = control_law(limits, drop_next_);
      }
    }
    return head.packet;
  }

 private:
  static constexpr std::int64_t kRecent = 16;  // intervals

  struct Head {
    std::optional<ManagedPacket> packet;
    bool may_drop = false;  // the sojourn time has been above the target for an interval
  };

  template <class AtMostOneLeft>
  Head take_head(const CodelLimits& limits, Picoseconds now, const std::optional<ManagedPacket>& packet,
                 AtMostOneLeft at_most_one_left) {
    if (!packet || now - packet->arrived < limits.target || at_most_one_left()) {
      first_above_ = kNever;
      return {packet, false};
    }
    if (first_above_ == kNever) {
      first_above_ = now + limits.interval;
      return {packet, false};
    }
    return {packet, now >= first_above_};
  }

  Picoseconds control_law(const CodelLimits& limits, Picoseconds from) const {
    return from + std::llround(static_cast<double>(limits.interval) / std::sqrt(static_cast<double>(count_)));
  }

  Picoseconds first_above_ = kNever;  // when the sojourn time will have been above the target for an interval
  Picoseconds drop_next_ = 0;
  std::int64_t count_ = 0;       // drops since dropping began
  std::int64_t last_count_ = 0;  // of them, those that it began with
  bool dropping_ = false;
};

}  // namespace packetsim
