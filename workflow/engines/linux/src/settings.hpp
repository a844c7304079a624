#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/channel.hpp"
#include "emulator/units.hpp"

namespace seawind {

// One run: the link, the hosts' TCP and the workload. The defaults are set 1 of report C-2002-13.
struct Settings {
  std::int64_t rate_bit_per_s = 28'800;
  Nanoseconds propagation = 200'000'000;  // one way
  std::int64_t queue_packets = 3;
  Nanoseconds tick = 0;  // of the emulator's timer; 0: none (channel.hpp)
  double loss = 0.005;   // of each packet from the sender
  // The way back, unless it is as the way there:
  std::optional<double> ack_loss = {};
  std::optional<std::int64_t> ack_rate_bit_per_s = {};
  std::optional<Nanoseconds> ack_propagation = {};
  std::int64_t mtu_bytes = 296;
  std::int64_t rwnd_segments = 64;
  std::int64_t initial_window_segments = 0;  // 0: the stack's own
  Nanoseconds min_rto = 200'000'000;  // what the retransmission timeout adds to the round-trip time at least
  std::string stack = "2002";         // stack.hpp
  bool sack = true;
  bool timestamps = true;
  std::int64_t bytes = 1'000'000;
  std::int64_t transfers = 1;  // one after the other, each on a connection of its own
  Nanoseconds sample_interval = 100'000'000;
  std::int64_t seed = 1;

  // The largest segment: MTU less the headers of IP and TCP (RFC 879, RFC 7323).
  std::int64_t mss_bytes() const { return mtu_bytes - 40 - (timestamps ? 12 : 0); }
  ChannelSettings channel(bool from_sender) const;
};

// From words "key=value"; see settings_help(). Throws Failure with one line that names the key and what is
// allowed.
Settings parse_settings(std::span<const std::string_view> words);

// The words that parse_settings() reads back to the same settings.
std::vector<std::string> to_words(const Settings& settings);

nlohmann::json to_json(const Settings& settings);

// One line for each key.
std::string settings_help();

}  // namespace seawind
