// SPDX-License-Identifier: GPL-2.0-only
// The retransmission timeout from round-trip samples, and the timer that it sets (RFC 6298).
#pragma once

#include <cstdint>

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

namespace tcp_atlas {

// One packet is timed at a time, never one that was sent twice. With a clock that ticks, as BSD's every 500
// ms, samples count the ticks that fell into them and one more, and the timer runs out on a tick.
class RetransmissionTimer {
 public:
  struct Limits {
    ns3::Time initialRto;  // before the first sample
    ns3::Time minRto;
    ns3::Time maxRto;
    ns3::Time clockTick;  // 0: the clock runs continuously
  };

  // `expired` is called when the timer runs out; it then stands still.
  explicit RetransmissionTimer(ns3::Callback<void> expired) : m_expired(expired) {}
  RetransmissionTimer(const RetransmissionTimer&) = delete;
  RetransmissionTimer& operator=(const RetransmissionTimer&) = delete;

  // For a new transfer: no sample yet, and the timer stands still.
  void Reset(const Limits& limits);

  // A packet is sent for the first time; it is timed if no other is.
  void TimePacket(std::uint32_t number);
  void StopTiming() { m_timedPacket = 0; }
  // Everything below `missing` has arrived. Returns the round-trip sample, zero if this gives none.
  ns3::Time Acknowledged(std::uint32_t missing);

  void Restart();
  void Stop();
  // For good: nothing will be called any more. To be called before the timer is destroyed.
  void Dispose() { m_event.Cancel(); }
  // A timeout doubles the time to the next; only a new sample takes that back (Karn).
  void BackOff();

 private:
  std::int64_t Ticks(ns3::Time time) const { return time.GetTimeStep() / m_limits.clockTick.GetTimeStep(); }
  ns3::Time Seen(ns3::Time sample) const;
  ns3::Time Deadline() const;
  void EventCame();

  ns3::Callback<void> m_expired;
  Limits m_limits;
  std::uint32_t m_timedPacket = 0;  // 0: none
  ns3::Time m_timedAt;
  bool m_sampled = false;
  ns3::Time m_srtt;
  ns3::Time m_rttvar;
  ns3::Time m_rto;
  ns3::Time m_deadline = ns3::Time::Max();
  ns3::EventId m_event;  // comes at the deadline or before it
};

}  // namespace tcp_atlas
