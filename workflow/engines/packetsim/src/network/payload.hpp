// An event's payload in one 64-bit word: flow, kind, transfer and sequence number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace packetsim {

enum class EventKind : std::uint64_t {
  kPacket,  // a packet reaches the queue that all share, or is lost before; or its acknowledgement the sender
  kTimer,   // a retransmission timer may have run out, or a receiver's (kReceiverTimer)
  kStart,   // an OFF time ends, or what else happens to a file (see below)
  kHeld,    // a packet's acknowledgement waited for the next one's, which comes right behind, or has been
            // overtaken (kLateArrival); of packets on their way: one that may be overtaken
};

// In the number of an acknowledgement of kind kHeld: a later transmission has arrived before, and the rest is
// the number of the packet.
inline constexpr std::int32_t kLateArrival = INT32_MIN;
// The number in an event of a receiver's timer; that of a sender's is 0.
inline constexpr std::int32_t kReceiverTimer = 1;
// The number in an event of a file; that of its start is 0. The first two: on a persistent connection.
inline constexpr std::int32_t kFileAtBottleneck = 1;  // its first packet gets there
inline constexpr std::int32_t kFileDelivered = 2;     // its last packet is at the receiver, and it ends
inline constexpr std::int32_t kFileStopped = 3;       // its source goes, and sends nothing new
inline constexpr std::int32_t kFileArrives = 4;       // or a page, by itself, at the group of this source

// The transfer's number, modulo 1024, tells packets and acknowledgements of one transfer from those of the
// next on the same source. A packet would have to stay in the network for 1024 transfers to be mistaken for a
// younger one.
class Payload {
 public:
  static constexpr std::uint64_t kTransfers = 1024;

  Payload(EventKind kind, std::size_t flow, std::uint64_t transfer, std::int32_t number)
      : word_(static_cast<std::uint64_t>(flow) << 44 | static_cast<std::uint64_t>(kind) << 42 |
              transfer << 32 | static_cast<std::uint32_t>(number)) {}
  explicit Payload(std::uint64_t word) : word_(word) {}

  std::uint64_t word() const { return word_; }
  EventKind kind() const { return static_cast<EventKind>(word_ >> 42 & 3); }
  std::size_t flow() const { return word_ >> 44; }
  std::uint64_t transfer() const { return word_ >> 32 & (kTransfers - 1); }
  std::int32_t number() const { return static_cast<std::int32_t>(word_ & 0xffffffff); }
  // Transfer and number in one, of 42 bits.
  std::uint64_t mark() const { return word_ & kMark; }

  // All but the number: what the packets of a transfer have in common.
  std::uint32_t high() const { return static_cast<std::uint32_t>(word_ >> 32); }
  // Whether this is a packet of the transfer, or its acknowledgement. `transfer`: a packet's without a
  // number.
  bool is_of(Payload transfer) const { return (word_ ^ transfer.word_) >> 32 == 0; }
  Payload of_kind(EventKind kind) const {
    return Payload((word_ & ~(std::uint64_t{3} << 42)) | static_cast<std::uint64_t>(kind) << 42);
  }
  Payload with_number(std::int32_t number) const {
    return Payload((word_ & ~std::uint64_t{0xffffffff}) | static_cast<std::uint32_t>(number));
  }
  Payload with_mark(std::uint64_t mark) const { return Payload((word_ & ~kMark) | mark); }

 private:
  static constexpr std::uint64_t kMark = (std::uint64_t{1} << 42) - 1;

  std::uint64_t word_;
};

}  // namespace packetsim
