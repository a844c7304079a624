// What the sequences in this folder, which every engine's senders must follow, ask of an engine: `Script`, a
// sender with a file under way and fed by hand. It takes ScriptLimits and the file's length in packets; each
// of started(), ack(missing) and timeout() returns the packets that the sender then sends;
// ack_all_below(missing) acknowledges packet after packet; cwnd(), ssthresh(), outstanding() and
// in_recovery() are its state. Acknowledgements come a millisecond apart.
#pragma once

#include <cstdint>
#include <vector>

namespace kit {

using Packets = std::vector<std::int32_t>;

struct ScriptLimits {
  std::int32_t rwnd = 44;
  std::int32_t initial_window = 2;
};

}  // namespace kit
