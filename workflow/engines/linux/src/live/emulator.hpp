#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "filter_log.hpp"
#include "live/channel.hpp"
#include "logged_packet.hpp"
#include "units.hpp"

namespace linux_engine {

// The emulated link between two hosts: a channel for each direction, and what passes at either end in a
// filter log. It keeps no clock: the caller says what time it is.
class Emulator {
 public:
  // Logs go to sender.pcap and receiver.pcap in `directory`; their time stamps are the caller's plus `epoch`.
  Emulator(const ChannelSettings& from_sender, const ChannelSettings& from_receiver,
           const std::filesystem::path& directory, Nanoseconds epoch);

  // A packet that the host at `end` has sent.
  Channel::Fate arrive(End end, Nanoseconds now, std::span<const std::byte> packet);

  // When the next packet is due at either end, if any is under way.
  std::optional<Nanoseconds> next_delivery() const;

  struct Delivery {
    End to;
    Nanoseconds due;
    std::span<const std::byte> packet;  // valid until the next call of arrive()
  };

  // The next packet that is due at or before `now`, if any; at the same instant, data before
  // acknowledgements.
  std::optional<Delivery> deliver(Nanoseconds now);

  void close_logs();

  const ChannelCounters& counters(End from) const { return channels_[index(from)].counters(); }

 private:
  static constexpr std::size_t index(End end) { return static_cast<std::size_t>(end); }

  std::array<Channel, 2> channels_;
  std::array<FilterLog, 2> logs_;
  Nanoseconds epoch_;
};

}  // namespace linux_engine
