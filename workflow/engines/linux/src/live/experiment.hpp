#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "live/channel.hpp"
#include "live/settings.hpp"

namespace linux_engine {

// As counters.json has them.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelCounters, offered, dropped_by_queue, lost_on_link, delivered)

// The whole of one run in the calling process, which becomes the emulator, and two children, the hosts. The
// caller must be able to make network namespaces. Writes to `directory`:
//   sender.pcap, receiver.pcap  what passed at either end of the link
//   counters.json               what became of the sender's packets
// Throws TooLate if the emulator was (lateness.hpp), with everything written.
void run_experiment(const Settings& settings, const std::filesystem::path& directory);

}  // namespace linux_engine
