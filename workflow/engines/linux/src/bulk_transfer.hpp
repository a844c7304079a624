#pragma once

#include <filesystem>

#include "file_descriptor.hpp"
#include "settings.hpp"
#include "stack.hpp"

namespace seawind {

// A listening socket of the host in whose namespace the caller is, with the receiver's window.
FileDescriptor listen_for_transfers(const Settings& settings, const Stack& stack);

// Takes settings.transfers connections one after the other and reads each to its end.
void receive_transfers(const Settings& settings, const FileDescriptor& listening);

// Sends settings.bytes over each of settings.transfers connections, one after the other; a transfer ends when
// the receiver has closed its side. Each settings.sample_interval the state of the connection (TCP_INFO)
// becomes a row of `samples`; its times are the monotonic clock's plus `epoch`, as those of the filter logs.
void send_transfers(const Settings& settings, const Stack& stack, const std::filesystem::path& samples,
                    Nanoseconds epoch);

}  // namespace seawind
