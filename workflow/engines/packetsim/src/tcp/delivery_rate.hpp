// How fast packets are delivered, by draft-cheng-iccrg-delivery-rate-estimation: a sample with each
// acknowledgement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "kit.hpp"

namespace packetsim {

// What a sample says.
struct RateSample {
  double packets_per_ps = 0;         // 0: the acknowledgement gives none
  std::int64_t prior_delivered = 0;  // before the packet was sent that the acknowledgement is of
  bool app_limited = false;          // there was nothing to send, or nothing was to be sent
};

// Counts packets, where the draft counts bytes. Acknowledgements say of which transmission they are, so that
// those of packets sent twice are samples like the others; that an interval is shorter than the shortest
// round trip, which section 3.3 discards, cannot be.
class DeliveryRate {
 public:
  // What a packet takes along, P in the draft.
  struct Snapshot {
    Picoseconds sent;
    Picoseconds first_sent;
    Picoseconds delivered_at;
    std::int64_t delivered;
    bool app_limited;
  };

  // What is kept of a packet that a later one has passed.
  struct Passed {};
  static Passed passed(const Snapshot& /*packet*/) { return {}; }

  void start() { *this = DeliveryRate(); }
  static void lost(Passed /*packet*/) {}

  // Packets delivered so far.
  std::int64_t delivered() const { return delivered_; }

  // Section 3.2: a packet is sent; `alone`: none before it waits for its acknowledgement.
  Snapshot sent(Picoseconds now, bool alone) {
    if (alone) {
      first_sent_ = delivered_at_ = now;
    }
    return {.sent = now,
            .first_sent = first_sent_,
            .delivered_at = delivered_at_,
            .delivered = delivered_,
            .app_limited = app_limited_ > 0};
  }

  // A packet has arrived for the first time. Packets of one acknowledgement come in the order of sending:
  // the sample is that of the last one.
  void arrived(const Snapshot& packet) {
    ++delivered_;
    latest_ = packet;
    fresh_ = true;
  }

  // One has that later ones have overtaken: no sample is of it.
  void arrived_late() { ++delivered_; }

  // Section 3.3: the acknowledgement of what has arrived since the last one.
  RateSample on_ack(Picoseconds now) {
    if (delivered_ > app_limited_) {
      app_limited_ = 0;
    }
    if (!fresh_) {
      return {};
    }
    fresh_ = false;
    delivered_at_ = now;
    first_sent_ = latest_.sent;
    const Picoseconds interval = std::max(latest_.sent - latest_.first_sent, now - latest_.delivered_at);
    return {
        .packets_per_ps = static_cast<double>(delivered_ - latest_.delivered) / static_cast<double>(interval),
        .prior_delivered = latest_.delivered,
        .app_limited = latest_.app_limited};
  }

  // Section 3.4: more could be in flight than is. Holds until what is has been delivered.
  void limited_by_application(std::int32_t in_flight) {
    app_limited_ = std::max<std::int64_t>(delivered_ + in_flight, 1);
  }

 private:
  std::int64_t delivered_ = 0;
  std::int64_t app_limited_ = 0;  // until so many have been delivered; 0: it is not
  Picoseconds delivered_at_ = 0;  // the last acknowledgement that delivered one
  Picoseconds first_sent_ = 0;    // of the packets that the next sample is of
  Snapshot latest_{};
  bool fresh_ = false;  // latest_ is of the acknowledgement that is about to come
};

// A packet as it was sent: the number of its transmission, counted from 0, and when.
struct SentPacket {
  std::int64_t number = 0;
  Picoseconds sent = 0;
};

// Samples for a window that asks which packets arrive and which are lost, too.
class NumberedDeliveryRate : public DeliveryRate {
 public:
  struct Snapshot : DeliveryRate::Snapshot {
    std::int64_t number;
  };
  using Passed = SentPacket;
  static Passed passed(const Snapshot& packet) { return {packet.number, packet.sent}; }

  void start() { *this = NumberedDeliveryRate(); }
  Snapshot sent(Picoseconds now, bool alone) { return {{DeliveryRate::sent(now, alone)}, number_++}; }
  void arrived(const Snapshot& packet) {
    DeliveryRate::arrived(packet);
    newest_ = {packet.number, packet.sent};
  }
  // The newest packet that has arrived.
  const SentPacket& newest() const { return newest_; }
  // A packet is found to be lost by the acknowledgement that is about to come.
  void lost(const SentPacket& packet) { lost_.push_back(packet); }
  std::vector<SentPacket>& lost() { return lost_; }

 private:
  std::int64_t number_ = 0;
  SentPacket newest_;
  std::vector<SentPacket> lost_;
};

// Of a sender whose window does not ask.
struct NoDeliveryRate {
  struct Snapshot {};
  struct Passed {};
  static Passed passed(Snapshot /*packet*/) { return {}; }
  static void lost(Passed /*packet*/) {}
  static void start() {}
  static Snapshot sent(Picoseconds /*now*/, bool /*alone*/) { return {}; }
  static void arrived(Snapshot /*packet*/) {}
  static void arrived_late() {}
  static RateSample on_ack(Picoseconds /*now*/) { return {}; }
  static void limited_by_application(std::int32_t /*in_flight*/) {}
};

}  // namespace packetsim
