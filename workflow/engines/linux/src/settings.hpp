#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "emulator/channel.hpp"
#include "emulator/units.hpp"

namespace linux_engine {

// One transfer: the link, the hosts' TCP and the workload.
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
  std::string stack = "2002";         // stack.hpp
  bool sack = true;
  std::int64_t bytes = 1;
  std::uint64_t seed = 1;

  // The largest segment: MTU less the headers of IP and TCP with its time stamps (RFC 879, RFC 7323).
  std::int64_t mss_bytes() const { return mtu_bytes - 52; }
  ChannelSettings channel(bool from_sender) const;
};

// How they get into a guest.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Settings, rate_bit_per_s, propagation, queue_packets, loss,
                                   ack_rate_bit_per_s, ack_propagation, mtu_bytes, rwnd_segments,
                                   initial_window_segments, min_rto, stack, sack, bytes, seed)

}  // namespace linux_engine
