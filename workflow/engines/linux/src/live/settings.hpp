#pragma once

#include <cstdint>

#include "live/channel.hpp"
#include "units.hpp"

namespace linux_engine {

// One transfer in real time: the link, the hosts' TCP and the workload.
struct Settings {
  std::int64_t rate_bit_per_s = 500'000;
  Nanoseconds propagation = 200'000'000;  // one way
  std::int64_t queue_packets = 3;         // waiting
  double loss = 0;                        // of each packet from the sender
  std::int64_t ack_rate_bit_per_s = 500'000;
  Nanoseconds ack_propagation = 200'000'000;
  std::int64_t mtu_bytes = 576;
  std::int64_t rwnd_segments = 64;
  std::int64_t initial_window_segments = 2;
  Nanoseconds min_rto = 200'000'000;  // what the retransmission timeout adds to the round-trip time at least
  std::int64_t bytes = 1;
  std::uint64_t seed = 1;

  // The largest segment: MTU less the headers of IP and TCP with its time stamps (RFC 879, RFC 7323).
  std::int64_t mss_bytes() const { return mtu_bytes - 52; }
  ChannelSettings channel(bool from_sender) const;
};

}  // namespace linux_engine
