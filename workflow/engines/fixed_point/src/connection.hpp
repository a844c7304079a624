// The reference connection: window flow control over the max-plus recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "from_kit.hpp"
#include "path.hpp"
#include "rto.hpp"
#include "settings.hpp"
#include "window.hpp"

namespace fixed_point {

// Packet counts of all reference connections.
struct PacketCounts {
  std::int64_t sent = 0;
  std::int64_t lost = 0;
  std::int64_t delivered = 0;
  std::int64_t useful = 0;  // delivered, but for those that had been sent twice
  std::int64_t timeouts = 0;
  std::int64_t idle_restarts = 0;
  std::int64_t round_trips = 0;
  double round_trip_s = 0;  // sum over acknowledged packets, from the source's transmission
};

// Parameters common to all connections.
struct ConnectionRules {
  const Path& path;
  Readings readings;
  RtoLimits rto;
  Picoseconds idle;
};

// y_0(k) = max(y_K(k - v_{k-1}) + d_{K,0}, T(k), y_0(k-1)) + sigma_0: packet k may go when packet k - v and
// all before it are known to have arrived or to be lost. A lost packet is sent again as a new one, number and
// all.
//
// Whoever runs it says when packets are acknowledged, lost or overdue; it calls transmit(number, crossing)
// for every packet that it sends.
class Connection {
 public:
  Connection(std::int32_t max_window, bool half_up, Picoseconds backbone_offset)
      : window_(max_window, half_up), backbone_offset_(backbone_offset), packets_(64) {}

  std::int64_t sent() const { return sent_; }
  std::int32_t window() const { return window_.size(); }
  std::int64_t in_flight() const { return in_flight_; }
  Path::Left& left() { return left_; }
  Picoseconds backbone_offset() const { return backbone_offset_; }

  // `packets` more to send, `pause` after the last burst ended; 0 for the first.
  template <class Transmit>
  void start(std::int64_t packets, Picoseconds pause, const ConnectionRules& rules, PacketCounts& counts,
             Picoseconds now, Transmit transmit) {
    if (pause > rules.idle) {
      window_.begin_again();
      rto_ = {};
      ++counts.idle_restarts;
    }
    to_send_ += packets;
    send_allowed(rules, counts, now, transmit);
  }

  // The acknowledgement reaches the source.
  template <class Transmit>
  void acknowledge(std::int64_t number, const ConnectionRules& rules, PacketCounts& counts, Picoseconds now,
                   Transmit transmit) {
    Packet& packet = at(number);
    packet.state = State::kKnown;
    --in_flight_;
    ++counts.round_trips;
    counts.round_trip_s += seconds(now - packet.sent);
    // Karn's rule: packets in flight at a timeout give no sample.
    if (number >= timed_from_ &&
        (packet.first_of_window || rules.readings.rtt_samples == Readings::RttSamples::kEveryPacket)) {
      rto_.sample(now - packet.sent);
    }
    if (number > halved_through_ || rules.readings.old_acks_grow_window) {
      window_.acknowledge();
    }
    if (undetected_ > 0) {
      count_duplicates(number, rules);
    }
    advance();
    restarted_deadline_ = now + rto_.value(rules.rto);
    send_allowed(rules, counts, now, transmit);
  }

  // The packet has just been lost.
  template <class Transmit>
  void lose(std::int64_t number, const ConnectionRules& rules, PacketCounts& counts, Picoseconds now,
            Transmit transmit) {
    ++counts.lost;
    if (rules.readings.loss_detection == Readings::LossDetection::kDuplicateAcks) {
      at(number).state = State::kLost;
      ++undetected_;
      return;
    }
    detect_loss(number, rules);
    advance();
    send_allowed(rules, counts, now, transmit);
  }

  // When the timer runs out unless something comes before; kNever: nothing is timed.
  Picoseconds deadline(const ConnectionRules& rules) const {
    if (rules.readings.timer == Readings::Timer::kRestarted) {
      return known_through_ == sent_ ? kNever : restarted_deadline_;
    }
    const std::int64_t oldest = oldest_timed(rules);
    return oldest > sent_ ? kNever : at(oldest).deadline;
  }

  // The deadline is now: the oldest packet is sent again, at once; whatever else is to be sent again will be
  // when the window allows.
  template <class Transmit>
  void time_out(const ConnectionRules& rules, PacketCounts& counts, Picoseconds now, Transmit transmit) {
    ++counts.timeouts;
    window_.time_out();
    rto_.back_off();
    bool was_lost = false;
    for (std::int64_t number = known_through_ + 1; number <= sent_ && undetected_ > 0; ++number) {
      Packet& packet = at(number);
      if (packet.state == State::kLost) {
        packet.state = State::kKnown;
        --undetected_;
        --in_flight_;
        to_send_ += packet.useful;
        was_lost = true;
      }
    }
    to_send_ -= was_lost;
    advance();
    halved_through_ = sent_;
    timed_from_ = sent_ + 1;
    window_end_ = sent_;  // the window begins anew
    send(was_lost, rules, counts, now, transmit);
    restarted_deadline_ = now + rto_.value(rules.rto);
  }

  // The packet was delivered. Returns whether it was new to the receiver.
  bool useful(std::int64_t number) const { return at(number).useful; }

 private:
  // kKnown: the source knows what became of it.
  enum class State : std::uint8_t { kUnderWay, kLost, kKnown };

  struct Packet {
    Picoseconds sent;
    Picoseconds deadline;
    State state;
    std::uint8_t later_acks;
    bool useful;  // not a second copy of one that is under way
    bool first_of_window;
  };

  Packet& at(std::int64_t number) {
    return packets_[static_cast<std::size_t>(number) & (packets_.size() - 1)];
  }
  const Packet& at(std::int64_t number) const {
    return packets_[static_cast<std::size_t>(number) & (packets_.size() - 1)];
  }

  template <class Transmit>
  void send_allowed(const ConnectionRules& rules, PacketCounts& counts, Picoseconds now, Transmit transmit) {
    while (to_send_ > 0 && sent_ + 1 - window_.size() <= known_through_) {
      --to_send_;
      send(true, rules, counts, now, transmit);
    }
  }

  template <class Transmit>
  void send(bool useful, const ConnectionRules& rules, PacketCounts& counts, Picoseconds now,
            Transmit transmit) {
    if (sent_ - known_through_ == static_cast<std::int64_t>(packets_.size())) {
      grow();
    }
    const bool nothing_timed = sent_ == known_through_;
    ++sent_;
    ++in_flight_;
    ++counts.sent;
    const Path::Crossing crossing = rules.path.to_shared(left_, now, backbone_offset_);
    const bool first_of_window = sent_ > window_end_;
    if (first_of_window) {
      window_end_ = sent_ + window_.size() - 1;
    }
    const Picoseconds deadline = crossing.sent + rto_.value(rules.rto);
    at(sent_) = {crossing.sent, deadline, State::kUnderWay, 0, useful, first_of_window};
    if (nothing_timed) {
      restarted_deadline_ = deadline;
    }
    transmit(sent_, crossing);
  }

  void detect_loss(std::int64_t number, const ConnectionRules& rules) {
    Packet& packet = at(number);
    packet.state = State::kKnown;
    --in_flight_;
    to_send_ += packet.useful;
    if (number > halved_through_) {
      window_.halve();
      halved_through_ = sent_;
    } else if (rules.readings.halving == Readings::Halving::kPerLoss) {
      window_.halve();
    }
  }

  void count_duplicates(std::int64_t acknowledged, const ConnectionRules& rules) {
    for (std::int64_t number = known_through_ + 1; number < acknowledged; ++number) {
      Packet& packet = at(number);
      if (packet.state == State::kLost && ++packet.later_acks == 3) {
        --undetected_;
        detect_loss(number, rules);
      }
    }
  }

  void advance() {
    while (known_through_ < sent_ && at(known_through_ + 1).state == State::kKnown) {
      ++known_through_;
    }
  }

  std::int64_t oldest_timed(const ConnectionRules& rules) const {
    const bool first_alone = rules.readings.timer == Readings::Timer::kPerWindow;
    std::int64_t number = std::max(known_through_ + 1, timed_from_);
    while (number <= sent_ &&
           (at(number).state == State::kKnown || (first_alone && !at(number).first_of_window))) {
      ++number;
    }
    return number;
  }

  void grow() {
    std::vector<Packet> larger(2 * packets_.size());
    for (std::int64_t number = known_through_ + 1; number <= sent_; ++number) {
      larger[static_cast<std::size_t>(number) & (larger.size() - 1)] = at(number);
    }
    packets_ = std::move(larger);
  }

  Window window_;
  Rto rto_;
  Path::Left left_{};
  Picoseconds backbone_offset_;
  std::vector<Packet> packets_;  // a ring of those from known_through_ + 1 to sent_
  std::int64_t to_send_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t known_through_ = 0;   // of this packet and all before it the source knows what became of them
  std::int64_t in_flight_ = 0;       // as the source sees it
  std::int64_t undetected_ = 0;      // lost, but not known to be
  std::int64_t halved_through_ = 0;  // the last packet sent when the window last halved
  std::int64_t timed_from_ = 1;      // packets before it were under way when the timer last ran out
  std::int64_t window_end_ = 0;
  Picoseconds restarted_deadline_ = kNever;
};

}  // namespace fixed_point
