#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "live/loss_process.hpp"
#include "live/transmission_clock.hpp"
#include "units.hpp"

namespace linux_engine {

struct ChannelSettings {
  std::int64_t rate_bit_per_s;
  Nanoseconds propagation;
  std::size_t queue_limit_packets;  // waiting; the packet in transmission is not one of them
  double loss_probability;
  std::uint64_t seed;
  std::uint64_t stream;  // tells the directions of one seed apart
};

struct ChannelCounters {
  std::uint64_t offered = 0;
  std::uint64_t dropped_by_queue = 0;
  std::uint64_t lost_on_link = 0;
  std::uint64_t delivered = 0;
};

// One direction of the emulated link: input queue with drop tail, transmission, loss, propagation (report
// C-2002-13, section 7.1). A lost packet takes its transmission time and is not delivered.
class Channel {
 public:
  enum class Fate { kCarried, kDroppedByQueue, kLostOnLink };

  explicit Channel(const ChannelSettings& settings);

  // Takes a packet at `now`, no earlier than any time passed before. A packet whose transmission starts at
  // `now` has left the queue. Packets with data and those without have draws of their own (LossProcess).
  Fate offer(Nanoseconds now, std::span<const std::byte> packet, bool carries_data = true);

  // When the next packet comes out at the other end, if any is under way.
  std::optional<Nanoseconds> next_delivery() const;

  // The packet of next_delivery(), valid until the next call of offer().
  std::span<const std::byte> deliver();

  const ChannelCounters& counters() const { return counters_; }

 private:
  struct Slot {
    Nanoseconds delivery = 0;
    std::vector<std::byte> packet;
  };

  std::size_t waiting(Nanoseconds now);
  void grow();

  ChannelSettings settings_;
  TransmissionClock clock_;
  LossProcess loss_;
  ChannelCounters counters_;
  // Both are rings. Slots and their packets are reused: they grow to the most packets that were ever under
  // way.
  std::vector<Nanoseconds> starts_;
  std::size_t starts_head_ = 0, starts_count_ = 0;
  std::vector<Slot> slots_;
  std::size_t slots_head_ = 0, slots_count_ = 0;
};

}  // namespace linux_engine
