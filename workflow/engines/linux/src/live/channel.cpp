#include "live/channel.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace linux_engine {

Channel::Channel(const ChannelSettings& settings)
    : settings_(settings),
      clock_(settings.rate_bit_per_s),
      loss_(settings.loss_probability, settings.seed, settings.stream),
      starts_(settings.queue_limit_packets),
      slots_(16) {}

std::size_t Channel::waiting(Nanoseconds now) {
  while (starts_count_ > 0 && starts_[starts_head_] <= now) {
    starts_head_ = (starts_head_ + 1) % starts_.size();
    --starts_count_;
  }
  return starts_count_;
}

void Channel::grow() {
  std::rotate(slots_.begin(), std::next(slots_.begin(), static_cast<std::ptrdiff_t>(slots_head_)),
              slots_.end());
  slots_head_ = 0;
  slots_.resize(slots_.size() * 2);
}

Channel::Fate Channel::offer(Nanoseconds now, std::span<const std::byte> packet, bool carries_data) {
  ++counters_.offered;
  // A packet that finds the link idle never waits, so that a full queue implies a busy link.
  if (waiting(now) >= settings_.queue_limit_packets) {
    ++counters_.dropped_by_queue;
    return Fate::kDroppedByQueue;
  }
  const auto [start, end] = clock_.transmit(now, static_cast<std::int64_t>(packet.size()));
  starts_[(starts_head_ + starts_count_) % starts_.size()] = start;
  ++starts_count_;
  if (loss_.loses(carries_data)) {
    ++counters_.lost_on_link;
    return Fate::kLostOnLink;
  }
  if (slots_count_ == slots_.size()) {
    grow();
  }
  Slot& slot = slots_[(slots_head_ + slots_count_) % slots_.size()];
  slot.delivery = end + settings_.propagation;
  slot.packet.assign(packet.begin(), packet.end());
  ++slots_count_;
  return Fate::kCarried;
}

std::optional<Nanoseconds> Channel::next_delivery() const {
  if (slots_count_ == 0) {
    return std::nullopt;
  }
  return slots_[slots_head_].delivery;
}

std::span<const std::byte> Channel::deliver() {
  const Slot& slot = slots_[slots_head_];
  slots_head_ = (slots_head_ + 1) % slots_.size();
  --slots_count_;
  ++counters_.delivered;
  return slot.packet;
}

}  // namespace linux_engine
