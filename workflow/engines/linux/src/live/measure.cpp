#include "live/measure.hpp"

#include <algorithm>
#include <deque>

#include "kit/probes/occupancy.hpp"
#include "live/transmission_clock.hpp"
#include "transfer_log.hpp"

namespace linux_engine {
namespace {

constexpr kit::Picoseconds kPicosecondsPerNanosecond = 1'000;

kit::Picoseconds picoseconds(Nanoseconds time) { return time * kPicosecondsPerNanosecond; }

// The queue at the bottleneck over time, from what arrived there.
class Bottleneck {
 public:
  Bottleneck(const Settings& settings, kit::Measurements& into)
      : buffer_(static_cast<std::size_t>(settings.queue_packets) + 1),
        way_(settings.propagation + settings.ack_propagation),
        clock_(settings.rate_bit_per_s),
        queue_(buffer_ + 1),
        into_(into) {
    into_.queue_arrivals_at.resize(buffer_ + 1);
  }

  void arrive(Nanoseconds now, std::int64_t bytes) {
    depart(now);
    ++into_.queue_arrivals_at[ends_.size()];
    if (ends_.size() == buffer_) {
      ++into_.queue_drops;
      return;
    }
    ends_.push_back(clock_.transmit(now, bytes).end);
    queue_.move_to(ends_.size(), picoseconds(now));
    ++into_.packets.carried;
    into_.packets.round_trip_ps += static_cast<double>(picoseconds(ends_.back() + way_ - now));
  }

  void close(Nanoseconds now) {
    depart(now);
    queue_.close(picoseconds(now));
    into_.queue_time_at = queue_.time_at();
  }

 private:
  void depart(Nanoseconds now) {
    while (!ends_.empty() && ends_.front() <= now) {
      const Nanoseconds end = ends_.front();
      ends_.pop_front();
      queue_.move_to(ends_.size(), picoseconds(end));
    }
  }

  std::size_t buffer_;  // the packet in service included
  Nanoseconds way_;
  TransmissionClock clock_;
  kit::Occupancy queue_;
  std::deque<Nanoseconds> ends_;  // of the transmissions of those that are there
  kit::Measurements& into_;
};

kit::Counters counters(const ChannelCounters& link, std::size_t events) {
  const auto whole = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  return {
      .connections_completed = 1,
      .packets_sent = whole(link.offered),
      .packets_delivered = whole(link.delivered),
      .packets_dropped = whole(link.dropped_by_queue),
      .packets_lost = whole(link.lost_on_link),
      .packets_in_flight = whole(link.offered - link.delivered - link.dropped_by_queue - link.lost_on_link),
      .events = whole(events)};
}

}  // namespace

kit::Measurements measure(const kit::Point& point, const Settings& settings,
                          std::span<const LoggedPacket> log, const ChannelCounters& link) {
  kit::Measurements found;
  const Nanoseconds start = log.front().time, end = log.back().time - start;
  Bottleneck bottleneck(settings, found);
  for (const LoggedPacket& packet : log) {
    if (packet.from == End::kSender) {
      bottleneck.arrive(packet.time - start, packet.bytes);
    }
  }
  bottleneck.close(end);
  found.end = found.measured = picoseconds(end);
  found.counters = counters(link, log.size());
  found.random_losses = found.counters.packets_lost;
  kit::ProbeResults probed;
  found.packets.acknowledged = read_transfer(
      log, {.mss_bytes = settings.mss_bytes(), .rwnd_segments = settings.rwnd_segments}, probed);
  if (point.probes.filter_log) {
    found.probes = probed;
  }
  return found;
}

}  // namespace linux_engine
