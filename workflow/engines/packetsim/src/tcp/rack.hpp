// Loss detection by time: a packet is lost if one that was sent later has arrived, and it had time enough
// (RACK, RFC 8985, section 6).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit.hpp"
#include "kit/events/ring_queue.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// A packet is a segment. Acknowledgements tell which transmission has arrived, as time stamps would, and of
// packets that others have overtaken which these are (`arrived_late`, step 3 of section 6.2): transmissions
// are told apart by their numbers, which are in the order of RACK_sent_after. RACK.min_RTT is the least of
// the connection.
class Rack {
 public:
  // What the sender knows when it looks for losses.
  struct Sight {
    std::int32_t una = 1;   // SND.UNA
    std::int32_t next = 1;  // SND.NXT
    std::int32_t sacked = 0;
    Picoseconds srtt = 0;     // 0: not known yet
    bool recovering = false;  // in a fast recovery, or that of a timeout
  };
  struct Losses {
    std::int32_t packets = 0;
    std::int64_t retransmission =
        -1;  // the last transmission among them that was not its packet's first; -1: none
  };

  // Linux's reordering timer waits longer, in whole ticks (tcp_rack_mark_lost).
  explicit Rack(bool linux_timers = false) : linux_timers_(linux_timers) {}
  void start(Picoseconds now) {
    state_ = {};
    now_ = now;
    fits_before_ = 0;
    latest_ = {};
    in_order_sent_ = kNone;
    retransmitted_.clear();
    passed_.clear();
  }
  void set_now(Picoseconds now) { now_ = now; }

  // Section 6.1. `una` is SND.UNA.
  void transmitted(std::int32_t packet, std::int32_t una, std::int64_t transmission, bool again) {
    if (packet >= fits_before_) [[unlikely]] {
      make_room(una, packet);
    }
    segment(packet) = {now_, 4 * transmission + (again ? Segment::kRetransmitted : 0)};
  }

  // A later transmission than this one has arrived.
  void passed(std::int32_t packet, std::int64_t transmission) {
    if (awaits({packet, transmission})) {
      passed_.push({packet, transmission});
    }
  }

  // A packet has arrived for the first time. Returns whether it was in flight. If not, it was taken for lost,
  // by a timeout, and need not be sent again. `in_order`: the cumulative acknowledgement advances with it.
  bool arrived(std::int32_t packet, std::int64_t transmission, RingQueue<std::int32_t>& lost,
               bool in_order = false) {
    Segment& arrived = segment(packet);
    const bool was_lost = arrived.lost();
    if (arrived.transmission() ==
        transmission) {  // else TSecr is that of an earlier transmission: step 2 ignores it
      in_order_sent_ = in_order ? arrived.sent : in_order_sent_;
      if (arrived.retransmitted() || !retransmitted_.empty()) [[unlikely]] {
        retransmitted_.push(arrived);
      } else {
        latest_ = arrived;
      }
    }
    arrived.word = Segment::kAcknowledged;
    if (was_lost) [[unlikely]] {
      for (std::size_t left = lost.size(); left > 0; --left) {
        const std::int32_t first = lost.front();
        lost.pop();
        if (first != packet) {
          lost.push(first);
        }
      }
    }
    return !was_lost;
  }
  // The same of one that later ones have overtaken: it is older than RACK.segment, and no measurement.
  bool arrived_late(std::int32_t packet, RingQueue<std::int32_t>& lost) {
    state_.reordering_seen = state_.reordering_seen || sent_once(packet);
    return arrived(packet, kNone - 1, lost);
  }
  Picoseconds sent_at(std::int32_t packet) const { return segment(packet).sent; }  // last
  bool sent_once(std::int32_t packet) const { return !segment(packet).retransmitted(); }

  // A packet has arrived again, of which the receiver tells (DSACK, RFC 2883).
  void arrived_again(std::int32_t packet) { state_.twice = packet; }
  // That packet, or 0.
  std::int32_t twice() const { return state_.twice; }

  // The round trip of what has arrived since the last acknowledgement, by its time stamp; 0: none. What was
  // sent twice is a measurement only if the acknowledgement advances (tcp_ack_update_rtt).
  Picoseconds stamped(bool advances) const {
    Picoseconds round_trip = !latest_.is_out() ? 0 : now_ - latest_.sent;
    retransmitted_.for_each([&](const Segment& segment) {
      round_trip = advances || !segment.retransmitted() ? now_ - segment.sent : round_trip;
    });
    return round_trip;
  }

  // Section 6.2, steps 1 and 2, of all that has arrived since the last acknowledgement. Returns whether there
  // was a measurement of the round-trip time.
  bool update() {
    bool measured = false;
    if (latest_.is_out()) [[likely]] {
      take(latest_);
      latest_.word = Segment::kAcknowledged;
      measured = true;
    }
    if (!retransmitted_.empty()) [[unlikely]] {
      retransmitted_.for_each([&](const Segment& segment) { measured = take(segment) || measured; });
      retransmitted_.clear();
    }
    // Linux takes what is acknowledged cumulatively last, though it had waited for an acknowledgement and
    // what came beyond a hole had not (tcp_clean_rtx_queue).
    if (linux_timers_ && in_order_sent_ != kNone && !passed_.empty()) [[unlikely]] {
      const Picoseconds round_trip = now_ - in_order_sent_;
      state_.rtt = round_trip >= state_.min_rtt ? round_trip : state_.rtt;
    }
    in_order_sent_ = kNone;
    return measured;
  }

  // Steps 4 and 5, for an acknowledgement or when the reordering timer has run out. Puts what is lost into
  // `lost`, by number.
  Losses detect(const Sight& sight, RingQueue<std::int32_t>& lost) {
    if ((state_.dsack_round | state_.twice) != 0 || state_.was_recovering) [[unlikely]] {
      adapt(sight);
    }
    state_.at_once = (sight.recovering || sight.sacked >= kDuplicateThreshold) && !state_.reordering_seen;
    state_.was_recovering = sight.recovering;
    state_.deadline = kNever;
    if (passed_.empty()) [[likely]] {
      return {};
    }
    return detect_among_passed(sight, lost);
  }

  // Section 6.3. Returns how many packets of those outstanding it takes for lost.
  std::int32_t mark_losses_on_timeout(const Sight& sight, RingQueue<std::int32_t>& lost) {
    state_.reo_wnd = reordering_window(sight.srtt);
    state_.was_recovering = true;
    state_.deadline = kNever;
    std::int32_t packets = 0;
    for (std::int32_t packet = sight.una; packet < sight.next; ++packet) {
      const Segment& outstanding = segment(packet);
      if (outstanding.is_out() && !outstanding.lost() &&
          (packet == sight.una || deadline_of(packet) <= now_)) {
        lose(packet, lost);
        ++packets;
      }
    }
    return packets;
  }

  // When the reordering timer runs out.
  Picoseconds deadline() const { return state_.deadline; }

 private:
  static constexpr std::int64_t kNone = -1;
  static constexpr int kPersistence = 16;  // recoveries for which a larger reordering window lasts

  struct Segment {
    static constexpr std::int64_t kLost = 1, kRetransmitted = 2, kAcknowledged = -4;

    bool is_out() const { return word >= 0; }
    std::int64_t transmission() const { return word >> 2; }  // the last one
    bool retransmitted() const { return (word & kRetransmitted) != 0; }
    bool lost() const { return (word & kLost) != 0; }

    Picoseconds sent = 0;  // Segment.xmit_ts
    std::int64_t word = kAcknowledged;
  };
  struct Passed {
    std::int32_t packet;
    std::int64_t transmission;
  };
  struct State {
    Picoseconds min_rtt = 0;           // RACK.min_RTT; 0: not known yet
    Picoseconds rtt = 0;               // RACK.rtt
    std::int64_t newest = kNone;       // RACK.segment's transmission
    Picoseconds reo_wnd = 0;           // RACK.reo_wnd
    Picoseconds deadline = kNever;     // of the reordering timer
    std::int32_t dsack_round = 0;      // RACK.dsack_round; 0: none
    std::int32_t reo_wnd_mult = 1;     // RACK.reo_wnd_mult
    std::int32_t reo_wnd_persist = 0;  // RACK.reo_wnd_persist
    std::int32_t twice = 0;            // the packet that the acknowledgement tells of with a DSACK
    bool was_recovering = false;
    bool reordering_seen = false;
    bool at_once = false;  // RACK.reo_wnd is 0
  };

  [[gnu::noinline]] Losses detect_among_passed(const Sight& sight, RingQueue<std::int32_t>& lost) {
    state_.reo_wnd = reordering_window(sight.srtt);
    Losses losses;
    for (; !passed_.empty(); passed_.pop()) {
      const Passed first = passed_.front();
      if (!awaits(first)) {
        continue;
      }
      if (first.transmission > state_.newest || deadline_of(first.packet) > now_) {
        break;
      }
      ++losses.packets;
      losses.retransmission =
          segment(first.packet).retransmitted() ? first.transmission : losses.retransmission;
      lose(first.packet, lost);
    }
    state_.was_recovering = sight.recovering || losses.packets > 0;
    passed_.for_each([&](const Passed& passed) {
      if (awaits(passed) && passed.transmission < state_.newest) {
        state_.deadline = deadline_of(passed.packet);
      }
    });
    if (linux_timers_ && state_.deadline != kNever) {
      state_.deadline = linux_timer(now_, state_.deadline - now_ + kLinuxMargin);
    }
    return losses;
  }

  // Returns whether it is a measurement of the round-trip time.
  bool take(const Segment& segment) {
    const Picoseconds round_trip = now_ - segment.sent;
    if (!segment.retransmitted()) {
      state_.min_rtt = state_.min_rtt == 0 ? round_trip : std::min(state_.min_rtt, round_trip);
    } else if (round_trip < state_.min_rtt) {
      return false;
    }
    state_.rtt = round_trip;
    state_.newest = segment.transmission();
    return !segment.retransmitted();
  }

  Segment& segment(std::int32_t packet) { return segments_[static_cast<std::size_t>(packet) & last_cell_]; }
  const Segment& segment(std::int32_t packet) const {
    return segments_[static_cast<std::size_t>(packet) & last_cell_];
  }

  // Whether it is its packet's last transmission, not acknowledged and not taken for lost.
  bool awaits(const Passed& passed) const {
    const Segment& of = segment(passed.packet);
    return of.transmission() == passed.transmission && !of.lost();
  }

  Picoseconds deadline_of(std::int32_t packet) const {
    return segment(packet).sent + state_.rtt + state_.reo_wnd;
  }

  // Step 4: RACK.reo_wnd_mult, and then RACK.reo_wnd.
  [[gnu::noinline]] void adapt(const Sight& sight) {
    if (state_.dsack_round != 0 && sight.una >= state_.dsack_round) {
      state_.dsack_round = 0;
    }
    if (state_.dsack_round == 0 && state_.twice != 0) {
      state_.dsack_round = sight.next;
      ++state_.reo_wnd_mult;
      state_.reo_wnd_persist = kPersistence;
    } else if (state_.was_recovering && !sight.recovering && --state_.reo_wnd_persist <= 0) {
      state_.reo_wnd_mult = 1;
    }
    state_.twice = 0;
  }
  Picoseconds reordering_window(Picoseconds srtt) const {
    if (state_.at_once) {
      return 0;
    }
    const Picoseconds window = state_.reo_wnd_mult * state_.min_rtt / 4;
    return srtt == 0 ? window : std::min(window, srtt);
  }

  void lose(std::int32_t packet, RingQueue<std::int32_t>& lost) {
    segment(packet).word |= Segment::kLost;
    lost.push(packet);
    for (std::size_t last = lost.size() - 1; last > 0 && lost.ahead(last - 1) > packet; --last) {
      std::swap(lost.ahead(last - 1), lost.ahead(last));
    }
  }

  // The ring grows with what is outstanding: the windows of many sources, which few of them fill, may be more
  // than there is memory for.
  [[gnu::noinline]] void make_room(std::int32_t una, std::int32_t packet) {
    if (const std::size_t outstanding = static_cast<std::size_t>(packet - una) + 1;
        outstanding > segments_.size()) {
      std::vector<Segment> larger(std::bit_ceil(outstanding));
      for (std::int32_t sent = una; sent < packet; ++sent) {
        larger[static_cast<std::size_t>(sent) & (larger.size() - 1)] = segment(sent);
      }
      segments_ = std::move(larger);
      last_cell_ = segments_.size() - 1;
    }
    fits_before_ = una + static_cast<std::int32_t>(segments_.size());
  }

  std::vector<Segment> segments_ = std::vector<Segment>(64);  // in a ring
  std::size_t last_cell_ = 63;
  std::int32_t fits_before_ = 0;  // packets up to here have a cell of their own
  // Acknowledged since the last acknowledgement: the latest of those sent once, which is all that counts of
  // them, and from the first one that was sent again on, all.
  Segment latest_;
  RingQueue<Segment> retransmitted_;
  Picoseconds in_order_sent_ = kNone;  // of the last that came in order since the last acknowledgement
  RingQueue<Passed> passed_;           // by later ones, not yet taken for lost
  State state_;
  Picoseconds now_ = 0;
  bool linux_timers_;
};

}  // namespace packetsim
