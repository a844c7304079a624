// The pseudocode of RFC 8985 (RACK-TLP) as a script that a sender is compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kit/tests/sender_script.hpp"
#include "times.hpp"

namespace packetsim::rack_tlp {

constexpr Picoseconds kNone = -1;

// How often each of the RFC's rules applied.
struct RackCounts {
  int probes = 0;
  int timeouts = 0;
  int reordering_timers = 0;
  int lost_retransmissions = 0;
  int repaired = 0;
  int spurious = 0;

  RackCounts& operator+=(const RackCounts& other) {
    probes += other.probes;
    timeouts += other.timeouts;
    reordering_timers += other.reordering_timers;
    lost_retransmissions += other.lost_retransmissions;
    repaired += other.repaired;
    spurious += other.spurious;
    return *this;
  }
};

// What RFC 8985 says, as plainly as can be: every segment is looked at for every acknowledgement. It is told
// of what the sender sends, and says what it takes for lost, when it sends a probe and when its timer runs
// out.
class RackScript {
 public:
  struct Limits {
    Picoseconds min_rto;
    Picoseconds max_ack_delay;
    std::int32_t rwnd;
  };
  explicit RackScript(const Limits& limits) : limits_(limits) {}

  // Section 6.1.
  void sent(std::int32_t packet, std::int64_t transmission, Picoseconds now) {
    Segment& segment = segments_[packet];
    if (packet == nxt_) {
      ++nxt_;
      new_data_ = true;
      if (!timed_ && !fast_) {
        timed_ = {packet, now};
      }
    } else {
      segment.retransmitted = true;
    }
    segment.xmit_ts = now;
    segment.lost = false;
    sent_at_[transmission] = {packet, now};
  }

  // What the sender sends now, with a window that never changes: a probe, or else what is lost, by number,
  // and then what is new. The first packet that is lost goes whatever is in flight (RFC 6675, section 5,
  // step 4.3; RFC 6298, 5.4).
  Packets sends(std::int32_t window) const {
    if (probe_) {
      return {*probe_};
    }
    Packets packets;
    std::set<std::int32_t> lost;
    std::int32_t in_flight = 0;
    for (const auto& [packet, segment] : segments_) {
      in_flight += segment.sacked || segment.lost ? 0 : 1;
      if (!segment.sacked && segment.lost) {
        lost.insert(packet);
      }
    }
    bool at_once = began_ && !lost.empty();
    for (std::int32_t next = nxt_; in_flight < window || at_once; ++in_flight, at_once = false) {
      if (!lost.empty()) {
        packets.push_back(*lost.begin());
        lost.erase(lost.begin());
      } else if (next < una_ + limits_.rwnd && next <= file_) {
        packets.push_back(next++);
      } else {
        break;
      }
    }
    return packets;
  }

  void resumed(std::int32_t packets) {
    file_ += packets;
    began_ = false;
    probe_.reset();
  }

  // Section 6.2.
  void acknowledged(const std::vector<std::int64_t>& transmissions, Picoseconds now) {
    now_ = now;
    dsack_ = 0;
    began_ = false;
    probe_.reset();
    const std::int32_t before = una_;
    std::vector<std::pair<Segment, Picoseconds>> newly;  // with the echoed time stamp
    for (const std::int64_t transmission : transmissions) {
      const auto [packet, at] = sent_at_[transmission];
      if (packet < una_ || segments_[packet].sacked) {
        dsack_ = packet;
        continue;
      }
      segments_[packet].sacked = true;
      Segment segment = segments_[packet];
      segment.end_seq = packet + 1;
      newly.emplace_back(segment, at);
      while (segments_.contains(una_) && segments_[una_].sacked) {
        segments_.erase(una_++);
      }
    }
    acked_ = una_ > before;
    if (acked_ && timed_ && timed_->first < una_) {
      sample(now - timed_->second);
      timed_.reset();
    }
    // Step 1.
    for (const auto& [segment, echo] : newly) {
      if (!segment.retransmitted) {
        min_rtt_ = min_rtt_ == kNone ? now - segment.xmit_ts : std::min(min_rtt_, now - segment.xmit_ts);
        rtt_since_probe_ = true;
      }
    }
    // Step 2.
    for (const auto& [segment, echo] : newly) {
      const Picoseconds rtt = now - segment.xmit_ts;
      if (segment.retransmitted && (echo < segment.xmit_ts || (min_rtt_ != kNone && rtt < min_rtt_))) {
        continue;
      }
      rack_rtt_ = rtt;
      if (sent_after(segment.xmit_ts, segment.end_seq, rack_xmit_ts_, rack_end_seq_)) {
        rack_xmit_ts_ = segment.xmit_ts;
        rack_end_seq_ = segment.end_seq;
      }
    }
    // Step 3.
    for (const auto& [segment, echo] : newly) {
      if (segment.end_seq > fack_) {
        fack_ = segment.end_seq;
      } else if (segment.end_seq < fack_ && !segment.retransmitted) {
        reordering_seen = true;
      }
    }
    process_ack_of_probe();
    const bool was_recovering = fast_ || rto_recovery_;
    if (una_ >= recovery_point_) {
      fast_ = rto_recovery_ = false;
    }
    exiting_ = was_recovering && !fast_ && !rto_recovery_;
    detect_loss();
    rto_at_ = now + rto_;
  }

  void expired(Picoseconds now) {
    now_ = now;
    dsack_ = 0;
    began_ = acked_ = exiting_ = false;
    probe_.reset();
    if (now == rack_at_) {
      ++counts.reordering_timers;
      detect_loss();
    } else if (now == pto_at_) {
      pto_at_ = kNever;
      if (!tlp_end_seq_ && rtt_since_probe_) {  // section 7.3
        ++counts.probes;
        rtt_since_probe_ = false;
        const bool has_new = nxt_ <= file_ && nxt_ < una_ + limits_.rwnd;
        probe_ = has_new ? nxt_ : nxt_ - 1;
        tlp_is_retrans_ = !has_new;
        tlp_end_seq_ = has_new ? nxt_ + 1 : nxt_;
        if (!has_new && timed_ && timed_->first == nxt_ - 1) {
          timed_.reset();
        }
      }
      probed_ = true;
    } else {  // section 6.3
      ++counts.timeouts;
      rto_ = 2 * rto_;
      timed_.reset();
      for (auto& [packet, segment] : segments_) {
        if (!segment.sacked && !segment.lost &&
            (packet == una_ || segment.xmit_ts + rack_rtt_ + reo_wnd_ - now <= 0)) {
          segment.lost = true;
        }
      }
      began_ = true;
      fast_ = false;
      rto_recovery_ = true;
      recovery_point_ = nxt_;
      since_cut_ = now;
      rack_at_ = kNever;
      tlp_init();
    }
    rto_at_ = now + rto_;
  }

  // After what was sent. One timer runs (section 8).
  Picoseconds deadline(Picoseconds now, bool began) {
    now_ = now;
    if (began) {
      rto_at_ = now + rto_;
    }
    if (una_ == nxt_) {
      return kNever;
    }
    const bool sacked = std::ranges::any_of(segments_, [](const auto& one) { return one.second.sacked; });
    if (fast_ || rto_recovery_ || sacked) {
      pto_at_ = kNever;
    } else if ((new_data_ && !probed_) || acked_) {  // section 7.2
      pto_at_ = kNever;
      if (srtt_ != kNone) {
        const Picoseconds pto = 2 * srtt_ + (nxt_ - una_ == 1 ? limits_.max_ack_delay : 0);
        pto_at_ = std::min(now + pto, rto_at_);
      }
    }
    new_data_ = probed_ = acked_ = false;
    return std::min({rack_at_, pto_at_, rto_at_});
  }

  bool reordering_seen = false;
  RackCounts counts;

 private:
  struct Segment {
    std::int32_t end_seq = 0;
    Picoseconds xmit_ts = 0;
    bool lost = false;
    bool retransmitted = false;
    bool sacked = false;
  };

  static bool sent_after(Picoseconds t1, std::int32_t seq1, Picoseconds t2, std::int32_t seq2) {
    return t1 > t2 || (t1 == t2 && seq1 > seq2);
  }

  // Step 4.
  Picoseconds update_reo_wnd() {
    if (dsack_round_ && una_ >= *dsack_round_) {
      dsack_round_.reset();
    }
    if (!dsack_round_ && dsack_ != 0) {
      ++counts.spurious;
      dsack_round_ = nxt_;
      reo_wnd_mult_ += 1;
      reo_wnd_persist_ = 16;
    } else if (exiting_) {
      reo_wnd_persist_ -= 1;
      if (reo_wnd_persist_ <= 0) {
        reo_wnd_mult_ = 1;
      }
    }
    std::int32_t segs_sacked = 0;
    for (const auto& [packet, segment] : segments_) {
      segs_sacked += segment.sacked ? 1 : 0;
    }
    if (!reordering_seen && (fast_ || rto_recovery_ || segs_sacked >= 3)) {
      return 0;
    }
    const Picoseconds window = reo_wnd_mult_ * (min_rtt_ == kNone ? 0 : min_rtt_) / 4;
    return srtt_ == kNone ? window : std::min(window, srtt_);
  }

  // Step 5, and what begins with a loss.
  void detect_loss() {
    bool any = false;
    Picoseconds timeout = 0;
    bool again = false;
    reo_wnd_ = update_reo_wnd();
    for (auto& [packet, segment] : segments_) {
      if (segment.sacked || segment.lost ||
          !sent_after(rack_xmit_ts_, rack_end_seq_, segment.xmit_ts, packet + 1)) {
        continue;
      }
      const Picoseconds remaining = segment.xmit_ts + rack_rtt_ + reo_wnd_ - now_;
      if (remaining <= 0) {
        segment.lost = true;
        any = true;
        again = again || (segment.retransmitted && segment.xmit_ts >= since_cut_);
      } else {
        timeout = std::max(remaining, timeout);
      }
    }
    rack_at_ = timeout == 0 ? kNever : now_ + timeout;
    counts.lost_retransmissions += again ? 1 : 0;
    if (any && !fast_ && (!rto_recovery_ || again)) {
      began_ = fast_ = true;
      rto_recovery_ = false;
      recovery_point_ = nxt_;
      since_cut_ = now_;
      timed_.reset();
      tlp_init();
    }
  }

  // Section 7.1.
  void tlp_init() {
    tlp_end_seq_.reset();
    tlp_is_retrans_ = false;
    pto_at_ = kNever;
  }

  // Section 7.4.2.
  void process_ack_of_probe() {
    if (tlp_end_seq_ && una_ >= *tlp_end_seq_) {
      if (!tlp_is_retrans_ || dsack_ + 1 == *tlp_end_seq_) {
        tlp_end_seq_.reset();
      } else if (una_ > *tlp_end_seq_) {
        tlp_end_seq_.reset();
        ++counts.repaired;
      }
    }
  }

  // RFC 6298.
  void sample(Picoseconds rtt) {
    if (srtt_ == kNone) {
      srtt_ = rtt;
      rttvar_ = rtt / 2;
    } else {
      rttvar_ += (std::abs(srtt_ - rtt) - rttvar_) / 4;
      srtt_ += (rtt - srtt_) / 8;
    }
    rto_ = std::max(srtt_ + 4 * rttvar_, limits_.min_rto);
  }

  Limits limits_;
  std::map<std::int32_t, Segment> segments_;
  std::map<std::int64_t, std::pair<std::int32_t, Picoseconds>> sent_at_;
  std::int32_t una_ = 1;
  std::int32_t nxt_ = 1;
  std::int32_t file_ = 0;
  Picoseconds now_ = 0;
  std::optional<std::pair<std::int32_t, Picoseconds>> timed_;
  Picoseconds srtt_ = kNone;
  Picoseconds rttvar_ = 0;
  Picoseconds rto_ = kSecond;
  Picoseconds rto_at_ = kNever;
  Picoseconds rack_at_ = kNever;
  Picoseconds pto_at_ = kNever;
  Picoseconds min_rtt_ = kNone;
  Picoseconds rack_rtt_ = 0;
  Picoseconds rack_xmit_ts_ = kNone;
  std::int32_t rack_end_seq_ = 0;
  std::int32_t fack_ = 0;
  Picoseconds reo_wnd_ = 0;
  std::optional<std::int32_t> dsack_round_;
  int reo_wnd_mult_ = 1;
  int reo_wnd_persist_ = 0;
  std::optional<std::int32_t> tlp_end_seq_;
  bool tlp_is_retrans_ = false;
  bool rtt_since_probe_ = false;
  std::int32_t dsack_ = 0;
  std::int32_t recovery_point_ = 0;
  Picoseconds since_cut_ = 0;
  bool fast_ = false;
  bool rto_recovery_ = false;
  bool began_ = false;  // a recovery
  std::optional<std::int32_t> probe_;
  bool exiting_ = false;
  bool acked_ = false;
  bool new_data_ = false;
  bool probed_ = false;
};

}  // namespace packetsim::rack_tlp
