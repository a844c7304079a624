#include "measure.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "emulator/transmission_clock.hpp"
#include "kit/probes/filter_log.hpp"
#include "kit/probes/occupancy.hpp"

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

// Tells the probe filter-log what a simulator would have told it. Segments are the point's packets, numbered
// from 1: all of them are full.
class Events {
 public:
  Events(const Settings& settings, std::span<const LoggedPacket> log, kit::FilterLog& probe)
      : mss_(settings.mss_bytes()), first_(log.front().seq + 1), start_(log.front().time), probe_(probe) {
    probe_.transfer_started(0, 0);
    for (const LoggedPacket& packet : log) {
      if (packet.from == End::kReceiver) {
        acknowledgement(packet);
      } else if (packet.payload > 0) {
        sent(packet);
      }
    }
  }

  std::int64_t acknowledged() const { return missing_ - 1; }

 private:
  // The number of the packet that begins at a sequence number, or just before it: FIN counts one.
  std::int32_t packet_at(std::uint32_t seq) const {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(seq - first_) / mss_) + 1;
  }

  kit::Picoseconds since_start(Nanoseconds time) const { return picoseconds(time - start_); }

  void sent(const LoggedPacket& segment) {
    const std::int32_t packet = packet_at(segment.seq);
    const kit::Picoseconds now = since_start(segment.time);
    // Acknowledgements take no time to be acted upon: what is sent again at another instant, the timer sends.
    if (packet == missing_ && packet <= highest_ && segment.time != last_acknowledgement_) {
      probe_.timed_out(0, {}, now);
    }
    if (highest_ == 0) {
      probe_.warm_up_ended(now);  // the transfer of data begins after the handshake
    }
    probe_.packet_sent(0, packet, now);
    highest_ = std::max(highest_, packet);
  }

  void acknowledgement(const LoggedPacket& packet) {
    last_acknowledgement_ = packet.time;
    // Neither the handshake nor news of the window is a duplicate (RFC 5681).
    const bool news = packet.payload > 0 || packet.window != std::exchange(window_, packet.window);
    const std::int32_t missing = packet_at(packet.ack);
    if (highest_ == 0 || (missing == missing_ && news)) {
      return;
    }
    missing_ = std::max(missing_, missing);
    probe_.acknowledgement(0, missing, since_start(packet.time));
  }

  std::int64_t mss_;
  std::uint32_t first_;  // sequence number of the data's first byte
  Nanoseconds start_;
  kit::FilterLog& probe_;
  Nanoseconds last_acknowledgement_ = 0;
  unsigned window_ = ~0U;
  std::int32_t highest_ = 0, missing_ = 1;
};

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
  kit::FilterLog probe(1, static_cast<std::int32_t>(settings.rwnd_segments));
  found.packets.acknowledged = Events(settings, log, probe).acknowledged();
  if (point.probes.filter_log) {
    probe.report(found.probes);
  }
  return found;
}

}  // namespace linux_engine
