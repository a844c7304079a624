#pragma once

#include <array>

#include "file_descriptor.hpp"
#include "live/emulator.hpp"
#include "live/lateness.hpp"

namespace linux_engine {

// Carries packets between two hosts' TUN devices as the emulator says, until `stop` becomes readable.
// hosts: the sender's device and the receiver's.
void relay(Emulator& emulator, const std::array<FileDescriptor, 2>& hosts, int stop, Lateness& lateness);

}  // namespace linux_engine
