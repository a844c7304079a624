// The max-plus recursion of section 5.1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "from_kit.hpp"
#include "settings.hpp"

namespace fixed_point {

// y_i(k) = max(y_{i-1}(k) + d_{i-1,i}, y_i(k-1)) + sigma_i(k), for all stations but the shared router, whose
// y_i(k) the scheduler gives. Nothing but the router that other traffic loads delays a user's packets by
// others' than his own: there a packet first waits for what it finds.
class Path {
 public:
  static constexpr std::size_t kMaxStations = kit::local_loop::kMaxStations;

  // y_i(k-1): when the last packet of a connection left each station.
  using Left = std::array<Picoseconds, kMaxStations>;

  // `backbone` must live as long as the path; null: nothing is loaded.
  Path(const Settings& settings, const VirtualWait* backbone)
      : stations_(settings.path.size()),
        shared_(settings.shared),
        backbone_(backbone),
        loaded_(backbone != nullptr ? settings.backbone->station : kMaxStations),
        return_delay_(picoseconds(settings.return_delay_s)) {
    for (std::size_t i = 0; i < stations_; ++i) {
      service_[i] = transmission_time(settings.packet_bytes, settings.path[i].rate_bit_per_s);
      delay_[i] = picoseconds(settings.path[i].delay_s);
    }
  }

  struct Crossing {
    Picoseconds sent;     // when the source begins to transmit it: y_0(k) - sigma_0
    Picoseconds arrival;  // at the shared router, or where it was lost
    bool lost;
  };

  // A packet that its source has from `ready` on, to the shared router. `offset`: where this user reads the
  // load of the backbone.
  Crossing to_shared(Left& left, Picoseconds ready, Picoseconds offset) const {
    left[0] = std::max(ready, left[0]) + service_[0];
    const Picoseconds sent = left[0] - service_[0];
    Picoseconds arrival = left[0] + delay_[0];
    for (std::size_t i = 1; i < shared_; ++i) {
      if (i == loaded_) {
        const Picoseconds wait = backbone_->unless_lost(arrival + offset);
        if (wait == kNever) {
          return {sent, arrival, true};
        }
        arrival += wait;
      }
      left[i] = std::max(arrival, left[i]) + service_[i];
      arrival = left[i] + delay_[i];
    }
    return {sent, arrival, false};
  }

  // From the shared router, which it leaves at `departure`, to when it has reached the destination: y_K(k).
  Picoseconds to_destination(Left& left, Picoseconds departure) const {
    left[shared_] = departure;
    for (std::size_t i = shared_ + 1; i < stations_; ++i) {
      left[i] = std::max(left[i - 1] + delay_[i - 1], left[i]) + service_[i];
    }
    return left[stations_ - 1];
  }

  // Round trip of a packet alone, the shared router apart.
  Picoseconds other_delays() const {
    Picoseconds sum = return_delay_;
    for (std::size_t i = 0; i < stations_; ++i) {
      sum += (i == shared_ ? 0 : service_[i]) + (i + 1 < stations_ ? delay_[i] : 0);
    }
    return sum;
  }

  // From the source to the shared router, for a packet alone.
  Picoseconds upstream_delays() const {
    Picoseconds sum = 0;
    for (std::size_t i = 0; i < shared_; ++i) {
      sum += service_[i] + delay_[i];
    }
    return sum;
  }

  Picoseconds shared_service() const { return service_[shared_]; }
  Picoseconds source_service() const { return service_[0]; }
  Picoseconds return_delay() const { return return_delay_; }

  // Waiting time at the loaded router for a packet that arrives now.
  Picoseconds backbone_wait(Picoseconds time) const { return backbone_ != nullptr ? backbone_->at(time) : 0; }

 private:
  std::size_t stations_;
  std::size_t shared_;
  const VirtualWait* backbone_;
  std::size_t loaded_;
  Picoseconds return_delay_;
  std::array<Picoseconds, kMaxStations> service_{};
  std::array<Picoseconds, kMaxStations> delay_{};
};

}  // namespace fixed_point
