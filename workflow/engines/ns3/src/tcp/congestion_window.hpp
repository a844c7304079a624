// SPDX-License-Identifier: GPL-2.0-only
// A congestion window in whole packets, as RFC 5681 lets it grow.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tcp_atlas {

// A packet more for every acknowledgement in slow start, for every window of acknowledgements in congestion
// avoidance; never above its limit. Acknowledgements are counted, so nothing is rounded.
class CongestionWindow {
 public:
  std::uint32_t Get() const { return m_packets; }

  // Sets the window and begins a new count of acknowledgements.
  void Set(std::uint32_t packets, std::uint32_t limit) {
    m_packets = std::min(packets, limit);
    m_acks = 0;
  }

  void Grow(bool slowStart, std::uint32_t limit) {
    if (m_packets >= limit) {
      return;
    }
    if (slowStart) {
      ++m_packets;
    } else if (++m_acks >= m_packets) {
      Set(m_packets + 1, limit);
    }
  }

 private:
  std::uint32_t m_packets = 0;
  std::uint32_t m_acks = 0;
};

}  // namespace tcp_atlas
