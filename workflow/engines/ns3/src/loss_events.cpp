// SPDX-License-Identifier: GPL-2.0-only
#include "loss_events.hpp"

#include "kit/main/units.hpp"
#include "kit/random/random.hpp"
#include "kit/variants/compound_flow.hpp"
#include "links.hpp"
#include "ns3/uinteger.h"

namespace tcp_atlas {

using kit::picoseconds;

LossEvents::LossEvents(const kit::Point& point)
    : probes_(point.probes),
      warmup_(point.stop.warmup_loss_events),
      propagation_(picoseconds(kit::isolated_flow(point).access.delay_s) +
                   picoseconds(point.dumbbell().bottleneck.delay_s) +
                   picoseconds(point.dumbbell().egress.delay_s) + picoseconds(point.return_delay_s) +
                   picoseconds(point.groups.front().extra_delay_s)),
      service_time_(kit::transmission_time(point.packet_bytes, point.dumbbell().bottleneck.rate_bit_per_s)),
      buffer_packets_(point.dumbbell().bottleneck.buffer_packets) {}

void LossEvents::watch(ns3::Ptr<PacketSender> sender, std::uint64_t seed) {
  sender_ = sender;
  const double full = static_cast<double>(propagation_ / service_time_ + 1 + buffer_packets_);
  const double part = (1 + kit::Random(seed, kit::Stream::kStart).uniform()) / 2;
  sender->SetAttribute("InitialThreshold", ns3::UintegerValue(static_cast<std::uint64_t>(full * part)));
  sender->TraceConnectWithoutContext("RoundTripEnded",
                                     ns3::MakeCallback(&LossEvents::round_trip_ended, this));
  sender->TraceConnectWithoutContext("Cut", ns3::MakeCallback(&LossEvents::window_cut, this));
}

// A full buffer fixes the round trip.
std::int64_t LossEvents::dropped() {
  const auto round_trip = buffer_packets_ * service_time_ + propagation_;
  return cycles_.dropped(now(), round_trip, static_cast<std::int32_t>(sender_->GetWindow()))
             ? cycles_.events() - 1 - warmup_
             : -1;
}

void LossEvents::restart() {
  restarted_ = now();
  cycles_.restart();
  trace_.time_s.clear();
  trace_.value.clear();
}

void LossEvents::round_trip_ended(const PacketCompound::RoundTripEnd& end) {
  cycles_.round_trip_ended({.window = static_cast<std::int32_t>(end.window),
                            .delay_window = static_cast<std::int32_t>(end.delayWindow),
                            .backlog = end.backlog,
                            .cut = end.cut});
  trace_window(sender_->GetWindow());
}

void LossEvents::window_cut(std::uint32_t before, std::uint32_t after) {
  trace_window(before);
  trace_window(after);
  cycles_.window_cut(static_cast<std::int32_t>(after));
}

void LossEvents::trace_window(std::uint32_t window) {
  trace_.time_s.push_back(kit::seconds(now() - restarted_));
  trace_.value.push_back(window);
}

// Throughput is not what the paper looks at.
void LossEvents::write_to(kit::Measurements& result) const {
  result.packets = {};
  kit::report_compound_cycles(cycles_.cycles(), kit::seconds(result.measured),
                              static_cast<std::int32_t>(propagation_ / service_time_) + 1, result.probes);
  if (probes_.window_trace) {
    result.probes.traces.push_back(trace_);
  }
}

}  // namespace tcp_atlas
