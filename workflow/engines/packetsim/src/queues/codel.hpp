// CoDel's drop law (RFC 8289), apart from the queue that it governs; its pace is the RFC's or Linux's.
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
  // The root of the count is approximated as in Linux (include/net/codel_impl.h): by one step of Newton's
  // iteration from the last count's, in 16 bits. After the first drop the second comes half an interval
  // later, where the RFC has 0.71. Else it is exact.
  bool as_linux = true;
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
      const std::uint32_t last_cycle = count_ - last_count_;
      if (static_cast<std::int32_t>(last_cycle) > 1 && now - drop_next_ < kRecent * limits.interval) {
        count_ = last_cycle;
        approach_root();
      } else {
        count_ = 1;
        root_ = kOne;
      }
      last_count_ = count_;
      drop_next_ = control_law(limits, now);
      return head.packet;
    }
    while (dropping_ && now >= drop_next_) {
      ++count_;
      approach_root();
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

  // The queue that it governs has lost packets for want of room, which Linux counts as drops.
  void count_overflow(std::int32_t drops) { count_ += static_cast<std::uint32_t>(drops); }

 private:
  static constexpr std::int64_t kRecent = 16;  // intervals
  static constexpr std::uint16_t kOne = UINT16_MAX;
  static constexpr int kBits = 16;

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

  // From x to x (3 - count x^2) / 2, in words of 64 bits: after a leap of the count it is as wrong as there.
  void approach_root() {
    const std::uint64_t root = std::uint64_t{root_} << kBits;
    const std::uint64_t square = root * root >> 32;
    const std::uint64_t rest = (std::uint64_t{3} << 32) - count_ * square;
    root_ = static_cast<std::uint16_t>((rest >> 2) * root >> 31 >> kBits);
  }

  Picoseconds control_law(const CodelLimits& limits, Picoseconds from) const {
    if (limits.as_linux) {
      return from + static_cast<Picoseconds>(PicosecondSum{limits.interval} * root_ >> kBits);
    }
    return from + std::llround(static_cast<double>(limits.interval) / std::sqrt(static_cast<double>(count_)));
  }

  Picoseconds first_above_ = kNever;  // when the sojourn time will have been above the target for an interval
  Picoseconds drop_next_ = 0;
  std::uint32_t count_ = 0;       // drops since dropping began
  std::uint32_t last_count_ = 0;  // of them, those that it began with
  std::uint16_t root_ = kOne;     // about 1 / sqrt(count), in parts of 2^16
  bool dropping_ = false;
};

}  // namespace packetsim
