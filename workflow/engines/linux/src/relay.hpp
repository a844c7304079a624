#pragma once

#include <array>

#include "emulator/emulator.hpp"
#include "emulator/output_file.hpp"
#include "file_descriptor.hpp"
#include "lateness.hpp"

namespace seawind {

// Carries packets between two hosts' TUN devices as the emulator says, until `stop` becomes readable.
// hosts: the sender's device and the receiver's; drops: gets a row for each packet that is not delivered.
void relay(Emulator& emulator, const std::array<FileDescriptor, 2>& hosts, int stop, Nanoseconds epoch,
           OutputFile& drops, Lateness& lateness);

}  // namespace seawind
