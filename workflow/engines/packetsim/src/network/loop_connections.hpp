// Both ends of a user's connection, by how losses are seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kit.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/point/point.hpp"
#include "tcp/delayed_receiver.hpp"
#include "tcp/file_series.hpp"
#include "tcp/informed_sender.hpp"
#include "tcp/lifelong_reno.hpp"
#include "tcp/receiver.hpp"
#include "tcp/selective_sender.hpp"
#include "tcp/sender.hpp"
#include "tcp/socket_writes.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

// What a packet, or its acknowledgement, is marked with (see Payload::mark).
using Mark = std::uint64_t;

// What the destination makes of a packet.
struct Receipt {
  Mark ack;
  bool is_new;           // it had not come before
  Arrival arrival = {};  // without `received`
};

inline Picoseconds rto_tick(const kit::local_loop::Tcp& tcp) { return picoseconds(tcp.tick_s); }
inline Picoseconds least_rto(const kit::local_loop::Tcp& tcp) { return tcp.min_rto_ticks * rto_tick(tcp); }

// Losses are seen at once. Packets and acknowledgements carry the number of the transmission.
class InformedConnection {
 public:
  using Rules = InformedSender::Rules;
  static constexpr bool kSeesLosses = true;

  static Rules rules(const kit::local_loop::Settings& settings) {
    return {.rwnd = settings.tcp.max_window,
            .readings = settings.readings,
            .rto = {.tick = rto_tick(settings.tcp), .min = least_rto(settings.tcp)}};
  }

  explicit InformedConnection(const Rules& rules) : sender_(rules) {}

  template <class Send>
  void start(std::int64_t packets, bool anew, const Rules& rules, Picoseconds /*now*/, Send send) {
    sender_.start(packets, anew, rules, sending(send));
  }
  Receipt receive(Mark mark) { return {mark, sender_.is_new(static_cast<std::int64_t>(mark))}; }

  // Fetches what the packet's acknowledgement needs into the cache.
  void prefetch(Mark mark) const { sender_.prefetch(static_cast<std::int64_t>(mark)); }

  // Returns the sender's round-trip sample, or 0 if this acknowledgement gives none.
  template <class Send>
  Picoseconds on_ack(Mark mark, const Rules& rules, Picoseconds now, Send send) {
    return sender_.on_ack(static_cast<std::int64_t>(mark), rules, now, sending(send));
  }
  template <class Send>
  void on_loss(Mark mark, const Rules& rules, Send send) {
    sender_.on_loss(static_cast<std::int64_t>(mark), rules, sending(send));
  }
  template <class Send>
  static bool release(Picoseconds /*now*/, Send /*send*/) {
    return false;
  }
  template <class Send>
  void on_timeout(const Rules& rules, Picoseconds now, Send send) {
    sender_.on_timeout(rules, now, sending(send));
  }
  Picoseconds deadline(const Rules& rules) const { return sender_.deadline(rules); }

 private:
  template <class Send>
  static auto sending(Send send) {
    return [send](std::int64_t number) { return send(static_cast<Mark>(number)); };
  }

  InformedSender sender_;
};

// Losses are seen by acknowledgements: LifelongReno's, or those of any variant of variants.hpp. Packets carry
// the number that their sender gives them (see SenderOf) and that of the session: a connection that begins
// again numbers anew.
template <class Variant>
class AcknowledgedConnection {
 public:
  using SenderType = typename SenderOf<Variant>::Type;
  struct Rules {
    TcpLimits limits;
    SenderType sender = {};  // as each connection has it at the beginning
    std::optional<DelayedReceiver::Rules> delay = {};
  };
  static constexpr bool kSeesLosses = false;

  static Rules rules(const kit::local_loop::Settings& settings) {
    constexpr Picoseconds kLongest = 64'000'000'000'000;
    const Picoseconds least = least_rto(settings.tcp);
    return {.limits = {.rwnd = settings.tcp.max_window,
                       .initial_window = 1,
                       .ssthresh = settings.tcp.max_window,
                       .min_rto = least,
                       .max_rto = std::max(least, kLongest),
                       .clock_tick = rto_tick(settings.tcp),
                       .initial_rto = 3'000'000'000'000},  // RFC 2988
            .sender = SenderType(
                Variant(settings.readings.halving == kit::local_loop::Readings::Halving::kPerWindow))};
  }
  static Rules rules(const kit::Tcp& tcp, Picoseconds round_trip) {
    return {.limits = limits_of(tcp),
            .sender = SenderType(tcp),
            .delay = DelayedReceiver::rules(tcp, round_trip)};
  }

  explicit AcknowledgedConnection(const Rules& rules) : sender_(rules.sender) {}

  Receiver& receiver() { return receiver_; }
  void seed(std::uint64_t seed, std::size_t flow) { sender_.seed(seed, flow); }

  template <class Send>
  void start(std::int64_t packets, bool anew, const Rules& rules, Picoseconds now, Send send) {
    const auto begin = [this] {
      ++session_;
      receiver_.start();
    };
    files_.carry_next(packets, anew, sender_, rules.limits, now, begin, sending(send));
  }

  void prefetch(Mark /*mark*/) const {}  // all of it is in one piece

  Receipt receive(Mark mark) {
    if (mark >> 32 != session()) {
      return {mark, false};
    }
    const auto number = static_cast<std::int32_t>(mark & 0xffffffff);
    const std::int32_t packet = sender_.packet_of(number);
    const bool is_new = !receiver_.has(packet);
    const Arrival arrival{.order = receiver_.order_of(packet),
                          .packet = packet,
                          .missing = receiver_.missing(),
                          .selective = sender_.is_selective(),
                          .ends_file = packet == sender_.file_packets()};
    const std::int32_t now_missing = receiver_.receive(packet);
    return {arrival.selective ? mark : with_session(now_missing), is_new, arrival};
  }

  // A packet has arrived that waits for its acknowledgement.
  void on_delayed_ack(Mark mark) {
    if (mark >> 32 == session()) {
      sender_.on_delayed_ack(static_cast<std::int32_t>(mark & 0xffffffff));
    }
  }

  // Returns the sender's round-trip sample, or 0 if this acknowledgement gives none.
  template <class Send>
  Picoseconds on_ack(Mark mark, const Rules& rules, Picoseconds now, Send send) {
    Picoseconds sample = 0;
    if (mark >> 32 == session()) {
      const auto number = static_cast<std::int32_t>(mark & 0xffffffff);
      sender_.on_ack(number, rules.limits, now, sending(send), [&](Picoseconds time) { sample = time; });
    }
    return sample;
  }
  template <class Send>
  bool release(Picoseconds now, Send send) {
    return sender_.release(now, sending(send));
  }
  template <class Send>
  void on_timeout(const Rules& rules, Picoseconds now, Send send) {
    sender_.on_timeout(rules.limits, now, sending(send));
  }
  Picoseconds deadline(const Rules& /*rules*/) const { return sender_.deadline(); }
  bool done() const { return sender_.done(); }

 private:
  std::uint64_t session() const { return session_ & 1023; }
  Mark with_session(std::int32_t number) const {
    return session() << 32 | static_cast<std::uint32_t>(number);
  }
  template <class Send>
  auto sending(Send send) {
    return [this, send](std::int32_t number) { send(with_session(number)); };
  }

  SenderType sender_;
  Receiver receiver_;
  std::uint64_t session_ = 0;
  FileSeries files_;
};

}  // namespace packetsim
