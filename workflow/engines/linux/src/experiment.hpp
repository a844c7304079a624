#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "emulator/channel.hpp"
#include "settings.hpp"

namespace seawind {

// As run.json has them.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelCounters, offered, dropped_by_queue, lost_on_link, delivered)

// The whole of one run in the calling process, which becomes the emulator, and two children, the hosts. The
// caller must be able to make network namespaces. Writes to `directory`:
//   sender.pcap, receiver.pcap  what passed at either end of the link
//   tcp_info.csv                the sender's state over time
//   drops.csv                   each packet that was not delivered, its number among those offered, and why
//   run.json                    settings, kernel, counters, how late the emulator was
// Throws Failure; Status::too_late if the emulator was (lateness.hpp), with everything written.
void run_experiment(const Settings& settings, const std::filesystem::path& directory);

}  // namespace seawind
