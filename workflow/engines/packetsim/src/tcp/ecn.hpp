// Explicit congestion notification (RFC 3168) between a sender with selective acknowledgements, the queue and
// the receiver.
#pragma once

#include <cstdint>

namespace packetsim {

// The number of a transmission has these bits on its way, and fewer for itself, which are enough to tell
// those under way apart.
struct EcnBits {
  static constexpr int kNumberBits = 28;
  static constexpr std::uint32_t kNumber = (std::uint32_t{1} << kNumberBits) - 1;
  static constexpr std::uint32_t kCapable = std::uint32_t{1} << 28;  // a queue may mark the packet (ECT)
  static constexpr std::uint32_t kMarked = std::uint32_t{1} << 29;   // and has (CE)
  // Of a packet: the sender has reduced its window (CWR). Of an acknowledgement: the receiver has seen a mark
  // (ECE).
  static constexpr std::uint32_t kAnswer = std::uint32_t{1} << 30;

  static bool has(std::int32_t number, std::uint32_t bit) {
    return (static_cast<std::uint32_t>(number) & bit) != 0;
  }
};

// How a receiver tells the sender of marks.
enum class EcnEcho : std::uint8_t {
  kNone,          // it does not
  kUntilReduced,  // in all acknowledgements until the sender has reduced its window (RFC 3168, 6.1.3)
  kEach,          // of exactly the packets that are acknowledged (RFC 8257, 3.2)
};

// A receiver's end.
class EcnReceiver {
 public:
  EcnReceiver() = default;
  explicit EcnReceiver(EcnEcho echo) : echo_(echo) {}

  bool active() const { return echo_ != EcnEcho::kNone; }

  // A new connection.
  void start() { seen_ = false; }

  // Whether the packet has to be acknowledged at once, and one that waits for it before: the acknowledgements
  // of marked packets and of others are told apart (RFC 8257, 3.2).
  bool changes(std::int32_t number) const {
    return echo_ == EcnEcho::kEach && EcnBits::has(number, EcnBits::kMarked) != seen_;
  }

  // Whether Linux's receiver acknowledges this packet and the next at once: it brings a mark of which it does
  // not tell yet, or no queue could mark it, as one that is sent again (tcp_ecn_check_ce).
  bool urges(std::int32_t number) const {
    const bool told = seen_ && !EcnBits::has(number, EcnBits::kAnswer);
    const bool is_news = echo_ == EcnEcho::kUntilReduced && EcnBits::has(number, EcnBits::kMarked) && !told;
    return active() && (is_news || !EcnBits::has(number, EcnBits::kCapable));
  }

  // Takes a packet's number and returns that of its acknowledgement.
  std::int32_t answer(std::int32_t number) {
    if (!active()) {
      return number;
    }
    const bool marked = EcnBits::has(number, EcnBits::kMarked);
    const bool reduced = EcnBits::has(number, EcnBits::kAnswer);
    seen_ = marked || (echo_ == EcnEcho::kUntilReduced && seen_ && !reduced);
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(number) & EcnBits::kNumber) |
                                     (seen_ ? EcnBits::kAnswer : 0));
  }

 private:
  EcnEcho echo_ = EcnEcho::kNone;
  bool seen_ = false;
};

}  // namespace packetsim
