// What a sender with selective acknowledgements knows of its packets: RFC 6675's scoreboard.
//
// An acknowledgement carries the number of the transmission that caused it: what the receiver holds at that
// moment, the sender can tell by itself, since what others have overtaken is told apart (take_late).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kit.hpp"
#include "kit/events/ring_queue.hpp"
#include "tcp/delivery_rate.hpp"
#include "tcp/tcp_state.hpp"
#include "tcp/window.hpp"

namespace packetsim {

// `Rate` takes the samples of the delivery rate, if there are any: DeliveryRate or NoDeliveryRate.
template <class Rate>
class SackScoreboard {
 public:
  // The first packet that has not arrived.
  std::int32_t una() const { return una_; }
  // Packets that have arrived behind it.
  std::int32_t beyond_hole() const { return beyond_; }

  // The number of the packet that was sent as the `transmission`-th and has not arrived yet.
  std::int32_t packet_of(std::int64_t transmission) const {
    return on_path_.ahead(static_cast<std::size_t>(transmission - first_on_path_)).packet;
  }
  // The first packet that the receiver lacks once that transmission has arrived.
  std::int32_t missing_after(std::int64_t transmission) const {
    std::int32_t missing = una_;
    if (packet_of(transmission) == missing) {
      while (arrived(++missing)) {
      }
    }
    return missing;
  }
  // The transmission still on its way whose number ends in these bits.
  std::int64_t transmission_of(std::uint32_t low_bits, int bits) const {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    return first_on_path_ +
           static_cast<std::int64_t>((low_bits - static_cast<std::uint64_t>(first_on_path_)) & mask);
  }

 protected:
  static constexpr Picoseconds kNone = -1;
  static constexpr bool kSamplesRate = !std::is_same_v<Rate, NoDeliveryRate>;

  struct Transmission {
    std::int32_t packet;
    Picoseconds sent;  // kNone for a retransmission, which gives no round-trip sample (Karn)
    [[no_unique_address]] typename Rate::Snapshot rate;
  };
  struct Missing {
    std::int32_t packet;
    std::int64_t arrivals;  // before the one that passed it
    [[no_unique_address]] typename Rate::Passed passed;
  };

  SackScoreboard() = default;
  explicit SackScoreboard(std::int32_t rwnd)
      : arrived_(std::bit_ceil(static_cast<std::size_t>(rwnd) + 1), false), last_cell_(arrived_.size() - 1) {}

  // Forgets the last connection.
  void clear() {
    for (; una_ < next_; ++una_) {
      arrived_[cell(una_)] = false;
    }
    una_ = next_ = 1;
    in_flight_ = 0;
    transmissions_ = first_on_path_ = given_up_ = arrivals_ = 0;
    acked_ = delivered_ = beyond_ = 0;
    rate_.start();
    on_path_.clear();
    missing_.clear();
    lost_.clear();
  }

  std::size_t cell(std::int32_t packet) const { return static_cast<std::size_t>(packet) & last_cell_; }
  bool arrived(std::int32_t packet) const { return arrived_[cell(packet)]; }

  // Packets stay in order: whatever was sent before the one that arrived, and did not arrive, is missing.
  [[gnu::always_inline]] void take_arrival(std::int64_t transmission) {
    for (; first_on_path_ < transmission; ++first_on_path_) {
      if (first_on_path_ >= given_up_) {
        const Transmission& passed = on_path_.front();
        missing_.push({passed.packet, arrivals_, Rate::passed(passed.rate)});
      }
      on_path_.pop();
    }
    const Transmission arrival = on_path_.front();
    on_path_.pop();
    ++first_on_path_;
    sample_from_ = kNone;
    if (transmission >= given_up_) {
      sample_from_ = arrival.sent;
      ++arrivals_;
      --in_flight_;
    }
    const std::int32_t una = una_;
    const std::int32_t delivered = delivered_;
    mark_arrived(arrival.packet);
    acked_ += una_ - una;
    if (kSamplesRate && delivered_ > delivered) {
      rate_.arrived(arrival.rate);
    }
  }

  // A packet has arrived that later ones have overtaken. It is no duplicate acknowledgement of those sent
  // after it. If it has been sent again, that one is in flight until it arrives, too.
  [[gnu::noinline]] void take_late(std::int32_t packet) {
    const bool first_time = packet >= una_ && !arrived(packet);
    for (std::size_t left = lost_.size(); left > 0; --left) {
      const std::int32_t first = lost_.front();
      lost_.pop();
      if (first != packet) {
        lost_.push(first);
      }
    }
    for (std::size_t left = missing_.size(); left > 0; --left) {
      Missing first = missing_.front();
      missing_.pop();
      if (first.packet == packet) {
        --in_flight_;
      } else {
        first.arrivals -= first_time && first.packet < packet ? 1 : 0;
        missing_.push(first);
      }
    }
    if (!first_time) {
      return;
    }
    const std::int32_t una = una_;
    mark_arrived(packet);
    acked_ += una_ - una;
    rate_.arrived_late();
  }

  void mark_arrived(std::int32_t packet) {
    if (packet > una_) {
      const int first = arrived(packet) ? 0 : 1;
      delivered_ += first;
      beyond_ += first;
      arrived_[cell(packet)] = true;
    } else if (packet == una_) {
      ++delivered_;
      ++una_;
      if (beyond_ > 0) [[unlikely]] {
        pass_arrived();
      }
    }
  }
  [[gnu::noinline]] void pass_arrived() {
    for (; arrived(una_); ++una_) {
      arrived_[cell(una_)] = false;
      --beyond_;
    }
  }

  // Packets sent, of which none has arrived yet.
  std::int32_t undelivered() const { return next_ - una_ - beyond_; }

  // Packets that enough later ones have passed are lost (RFC 6675, section 4, IsLost). Returns how many.
  std::int32_t find_losses() {
    std::int32_t found = 0;
    while (!missing_.empty() && arrivals_ - missing_.front().arrivals >= kDuplicateThreshold) {
      lost_.push(missing_.front().packet);
      rate_.lost(missing_.front().passed);
      missing_.pop();
      --in_flight_;
      ++found;
    }
    return found;
  }

  // After a timeout: all that has not arrived is lost.
  void give_up() {
    given_up_ = transmissions_;
    missing_.clear();
    lost_.clear();
    in_flight_ = 0;
    for (std::int32_t packet = una_; packet < next_; ++packet) {
      if (!arrived(packet)) {
        lost_.push(packet);
      }
    }
  }

  std::int32_t una_ = 1;             // the first packet that has not arrived
  std::int32_t next_ = 1;            // the next new one
  std::int32_t in_flight_ = 0;       // sent, not arrived and not known to be lost
  std::int32_t acked_ = 0;           // packets by which una_ moved since the last acknowledgement
  std::int32_t delivered_ = 0;       // packets that came for the first time since the last acknowledgement
  std::int32_t beyond_ = 0;          // packets that have arrived, but behind one that has not
  std::int64_t transmissions_ = 0;   // so far: the number of the next one
  std::int64_t first_on_path_ = 0;   // the first that is still on its way
  std::int64_t given_up_ = 0;        // by a timeout: those before, which may arrive all the same
  std::int64_t arrivals_ = 0;        // of transmissions that were not given up
  Picoseconds sample_from_ = kNone;  // when the packet that just arrived was sent
  std::vector<bool> arrived_;        // from una_ onwards, in a ring
  std::size_t last_cell_ = 0;
  RingQueue<Transmission> on_path_;  // in the order of sending
  RingQueue<Missing> missing_;       // passed by later ones
  RingQueue<std::int32_t> lost_;     // to be sent again
  [[no_unique_address]] Rate rate_;
};

// The scoreboard of a window's sender, which samples delivery rates and keeps transmissions only if the
// window asks for them.
template <class Window>
using ScoreboardOf = SackScoreboard<
    std::conditional_t<Window::kHearsTransmissions, NumberedDeliveryRate,
                       std::conditional_t<Window::kHearsDeliveries, DeliveryRate, NoDeliveryRate>>>;

}  // namespace packetsim
