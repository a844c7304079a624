#pragma once

#include "file_descriptor.hpp"
#include "live/settings.hpp"

namespace linux_engine {

// A listening socket of the host in whose namespace the caller is, with the receiver's window.
FileDescriptor listen_for_transfer(const Settings& settings);

// Takes a connection and reads it to its end.
void receive_transfer(const FileDescriptor& listening);

// Sends settings.bytes over a connection; the transfer ends when the receiver has closed its side.
void send_transfer(const Settings& settings);

}  // namespace linux_engine
