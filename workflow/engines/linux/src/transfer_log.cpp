#include "transfer_log.hpp"

#include <algorithm>
#include <utility>

#include "kit/probes/filter_log.hpp"

namespace linux_engine {
namespace {

// Tells the probe filter-log what a simulator would have told it. Segments are the point's packets, numbered
// from 1: all of them are full.
class Events {
 public:
  Events(std::int64_t mss_bytes, std::span<const LoggedPacket> log, kit::FilterLog& probe)
      : mss_(mss_bytes), first_(log.front().seq + 1), start_(log.front().time), probe_(probe) {
    probe_.transfer_started(0, 0);
    for (const LoggedPacket& packet : log) {
      if (packet.from == End::kReceiver) {
        acknowledgement(packet);
      } else if (packet.payload > 0) {
        sent(packet);
      }
    }
  }

  std::int64_t acknowledged() const { return missing_ - 1; }

 private:
  // The number of the packet that begins at a sequence number, or just before it: FIN counts one.
  std::int32_t packet_at(std::uint32_t seq) const {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(seq - first_) / mss_) + 1;
  }

  kit::Picoseconds since_start(Nanoseconds time) const { return (time - start_) * 1'000; }

  void sent(const LoggedPacket& segment) {
    const std::int32_t packet = packet_at(segment.seq);
    const kit::Picoseconds now = since_start(segment.time);
    // Acknowledgements take no time to be acted upon: what is sent again at another instant, the timer sends.
    if (packet == missing_ && packet <= highest_ && segment.time != last_acknowledgement_) {
      probe_.timed_out(0, {}, now);
    }
    if (highest_ == 0) {
      probe_.warm_up_ended(now);  // the transfer of data begins after the handshake
    }
    probe_.packet_sent(0, packet, now);
    highest_ = std::max(highest_, packet);
  }

  void acknowledgement(const LoggedPacket& packet) {
    last_acknowledgement_ = packet.time;
    // Neither the handshake nor news of the window is a duplicate (RFC 5681).
    const bool news = packet.payload > 0 || packet.window != std::exchange(window_, packet.window);
    const std::int32_t missing = packet_at(packet.ack);
    if (highest_ == 0 || (missing == missing_ && news)) {
      return;
    }
    missing_ = std::max(missing_, missing);
    probe_.acknowledgement(0, missing, since_start(packet.time));
  }

  std::int64_t mss_;
  std::uint32_t first_;  // sequence number of the data's first byte
  Nanoseconds start_;
  kit::FilterLog& probe_;
  Nanoseconds last_acknowledgement_ = 0;
  unsigned window_ = ~0U;
  std::int32_t highest_ = 0, missing_ = 1;
};

}  // namespace

std::int64_t read_transfer(std::span<const LoggedPacket> log, const TransferSizes& sizes,
                           kit::ProbeResults& results) {
  kit::FilterLog probe(1, static_cast<std::int32_t>(sizes.rwnd_segments));
  const std::int64_t acknowledged = Events(sizes.mss_bytes, log, probe).acknowledged();
  probe.report(results);
  return acknowledged;
}

}  // namespace linux_engine
