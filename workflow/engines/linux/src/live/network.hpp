#pragma once

#include "file_descriptor.hpp"
#include "live/emulator.hpp"
#include "live/settings.hpp"

namespace linux_engine {

// Moves the calling process into a new network namespace that holds one host: a TUN device with the address
// of `end`, a route to the other end, and the kernel's TCP set near that of 2002. Returns the device's file,
// on which the emulator reads what the host sends and writes what it receives; the host is gone when it is
// closed and no process is left in the namespace. Throws kit::Unavailable where the kernel
// forbids it or has no /dev/net/tun.
FileDescriptor enter_host(End end, const Settings& settings);

// IPv4 address of an end, in host byte order.
constexpr std::uint32_t address_of(End end) { return end == End::kSender ? 0x0a000001 : 0x0a000002; }

}  // namespace linux_engine
