// The stations that a user's packets pass without meeting those of other users.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "kit.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/random/virtual_wait.hpp"

namespace packetsim {

// All stations of a local loop but the shared router. A user's packets pass them in the order in which they
// were sent, and only at the router that other traffic loads do they wait for anything but one another, so
// when a packet leaves each of them is known as soon as it is sent, or has left the shared router.
class UserPath {
 public:
  // When the last packet of one user left each station.
  using Free = std::array<Picoseconds, kit::local_loop::kMaxStations>;

  // Throws std::invalid_argument for a load that leaves nothing of its router.
  UserPath(const kit::local_loop::Settings& settings, std::uint64_t seed)
      : shared_(settings.shared), return_delay_(picoseconds(settings.return_delay_s)) {
    for (const kit::local_loop::Station& station : settings.path) {
      stations_.push_back(
          {transmission_time(settings.packet_bytes, station.rate_bit_per_s), picoseconds(station.delay_s)});
    }
    if (settings.backbone) {
      loaded_ = settings.backbone->station;
      const Picoseconds full = settings.backbone->buffer_packets * stations_[loaded_].transmission;
      wait_.emplace(settings.backbone->load, full, seed);
    }
  }

  struct Crossing {
    Picoseconds sent;     // when the source begins to transmit the packet
    Picoseconds arrival;  // at the shared router, or where it is lost
    bool lost;            // at the loaded router
  };

  // From the source, which has the packet from `ready` on. `offset`: where the user reads the load.
  [[gnu::always_inline]] Crossing to_shared(Free& free, Picoseconds ready, Picoseconds offset) const {
    const Picoseconds sent = std::max(ready, free[0]);
    free[0] = sent + stations_[0].transmission;
    Picoseconds arrival = free[0] + stations_[0].delay;
    for (std::size_t i = 1; i < shared_; ++i) {
      if (i == loaded_) {
        const Picoseconds wait = wait_->unless_lost(arrival + offset);
        if (wait == kNever) {
          return {.sent = sent, .arrival = arrival, .lost = true};
        }
        arrival += wait;
      }
      free[i] = std::max(arrival, free[i]) + stations_[i].transmission;
      arrival = free[i] + stations_[i].delay;
    }
    return {.sent = sent, .arrival = arrival, .lost = false};
  }

  // Fetches the load that a packet sent now will meet into the cache.
  [[gnu::always_inline]] void prefetch_load(Picoseconds now, Picoseconds offset) const {
    if (wait_) {
      wait_->prefetch(now + stations_[0].transmission + stations_[0].delay + offset);
    }
  }

  // From the shared router to when the destination has the packet.
  [[gnu::always_inline]] Picoseconds to_destination(Free& free, Picoseconds departure) const {
    Picoseconds arrival = departure + stations_[shared_].delay;
    for (std::size_t i = shared_ + 1; i < stations_.size(); ++i) {
      free[i] = std::max(arrival, free[i]) + stations_[i].transmission;
      arrival = free[i] + stations_[i].delay;
    }
    return arrival;
  }

  Picoseconds shared_transmission() const { return stations_[shared_].transmission; }
  Picoseconds return_delay() const { return return_delay_; }

  // After which the load of the backbone repeats itself; 0 without load.
  Picoseconds period() const { return wait_ ? wait_->period() : 0; }

 private:
  struct Station {
    Picoseconds transmission;
    Picoseconds delay;  // to the next one
  };

  std::vector<Station> stations_;
  std::size_t shared_;
  std::size_t loaded_ = kit::local_loop::kMaxStations;
  std::optional<kit::VirtualWait> wait_;
  Picoseconds return_delay_;
};

}  // namespace packetsim
