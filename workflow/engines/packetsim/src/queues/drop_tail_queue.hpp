// A drop-tail queue with its queue monitor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kit.hpp"
#include "kit/main/divisor.hpp"
#include "kit/random/tie_rule.hpp"

namespace packetsim {

// A drop-tail FIFO in front of a link. The buffer counts the packet in service. Where an arrival and a
// departure fall together, the tie rule says whether the arrival finds the departing packet.
//
// When the link will have sent all it was given is all there is to know: how many packets are here follows,
// and so does the time at each number of packets. An arrival that finds n packets ends a stay at n and begins
// one at n + 1; each has a departure at its other end, and departures are whole service times apart, which
// cancel from one arrival to the next. So all that an arrival has to add up is the time since the last
// departure, or at an empty queue since it was left empty.
class DropTailQueue {
 public:
  DropTailQueue(std::int32_t buffer_packets, Picoseconds service_time, const TieRule& ties = {})
      : buffer_(static_cast<std::size_t>(buffer_packets)),
        service_time_(service_time),
        per_service_(service_time),
        spent_at_(buffer_ + 1),
        by_arrival_(buffer_ + 1),
        ties_(ties) {
    restart_monitor(0);
  }

  // Returns when the packet will have left the link's sender, or kNever if it is dropped.
  [[gnu::always_inline]] Picoseconds arrive(Picoseconds now, std::size_t /*flow*/ = 0) {
    const Picoseconds backlog = free_at_ - now;
    const Picoseconds busy = std::max<Picoseconds>(backlog, 0);
    const Picoseconds services = services_in(busy);
    const Picoseconds spent = services * service_time_ - backlog;
    const auto left = static_cast<std::size_t>(services);
    std::size_t found = left;
    if (spent == 0) [[unlikely]] {
      found += still_leaving(now);
      if (found != left && found < buffer_) {
        spent_at_[found] += service_time_;  // not one service ago, as close_monitor() will take it
      }
    }
    found_on_arrival_ = found;
    last_arrival_ = now;
    ++by_arrival_[found];
    if (found == buffer_) [[unlikely]] {
      return kNever;
    }
    spent_at_[left] += spent;
    const Picoseconds departure = now + busy + service_time_;
    free_at_ = departure;
    if (departure == kNever) {
      __builtin_unreachable();  // spares the caller a comparison
    }
    return departure;
  }

  // Departures need not be asked for, nor flows fetched, as in a FairQueue.
  static constexpr Picoseconds next_departure() { return kNever; }
  static void prefetch(std::size_t /*flow*/) {}

  // Packets that the last arrival found.
  std::size_t found_on_arrival() const { return found_on_arrival_; }

  // Discards the measurements and keeps the queue.
  void restart_monitor(Picoseconds now) {
    spent_at_.assign(spent_at_.size(), 0);
    by_arrival_.assign(by_arrival_.size(), 0);
    first_ = present(now);
    began_ = free_at_ - (static_cast<Picoseconds>(first_) - 1) * service_time_ - now;
  }

  // To be called before reading the time at each number of packets.
  void close_monitor(Picoseconds now) {
    const std::size_t last = present(now);
    closed_ = spent_at_;
    for (std::size_t level = 1; level <= buffer_; ++level) {
      closed_[level] += by_arrival_[level - 1] * service_time_ - (level > 1 ? spent_at_[level - 1] : 0);
    }
    closed_[first_] += began_;
    closed_[last] += static_cast<Picoseconds>(last) * service_time_ - (free_at_ - now);
    for (std::size_t level = last + 1; level < first_; ++level) {
      closed_[level] += service_time_;
    }
    for (std::size_t level = first_; level <= last; ++level) {
      closed_[level] -= service_time_;
    }
  }

  const std::vector<Picoseconds>& time_at() const { return closed_; }
  const std::vector<std::int64_t>& arrivals_at() const { return by_arrival_; }
  std::int64_t drops() const { return by_arrival_.back(); }  // of arrivals that found the buffer full

 private:
  // Packets that depart at this very instant and that an arrival still finds: none or one. If another arrived
  // at this instant before, its answer holds, unless a coin is tossed again; or there is no departure, and it
  // was that arrival which began the service.
  [[gnu::noinline]] std::size_t still_leaving(Picoseconds now) {
    if (last_arrival_ != now) {
      leaving_ = now;
    }
    if (leaving_ == now && ties_.departure_first()) {
      leaving_ = -1;
    }
    return leaving_ == now ? 1 : 0;
  }

  // An isolated flow hands over packets before they arrive: they count as here.
  std::size_t present(Picoseconds now) const {
    const Picoseconds backlog = free_at_ - std::max(now, last_arrival_);
    return static_cast<std::size_t>(services_in(std::max<Picoseconds>(backlog, 0)));
  }

  // Rounded up.
  [[gnu::always_inline]] Picoseconds services_in(Picoseconds time) const {
    return per_service_.quotient(time + service_time_ - 1);
  }

  std::size_t buffer_;
  Picoseconds service_time_;
  kit::Divisor per_service_;
  Picoseconds free_at_ = 0;  // when the link has sent what it was given
  Picoseconds last_arrival_ = 0;
  std::size_t found_on_arrival_ = 0;
  std::size_t first_ = 0;                 // packets here when the monitor was restarted
  Picoseconds began_ = 0;                 // the end of its first service, less when it was restarted
  std::vector<Picoseconds> spent_at_;     // by the packets that an arrival found
  std::vector<Picoseconds> closed_;       // up to the last reading
  std::vector<std::int64_t> by_arrival_;  // arrivals that found so many packets
  TieRule ties_;
  Picoseconds leaving_ = -1;  // the last instant of a departure that no arrival has found done
};

}  // namespace packetsim
