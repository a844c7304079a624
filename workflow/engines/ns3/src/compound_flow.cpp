// SPDX-License-Identifier: GPL-2.0-only
#include "compound_flow.hpp"

#include "kit/main/units.hpp"
#include "kit/probes/compound_cycles.hpp"
#include "kit/random/random.hpp"
#include "kit/variants/compound_flow.hpp"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace tcp_atlas {

using kit::picoseconds;

CompoundFlow::CompoundFlow(const kit::Point& point, std::uint64_t seed)
    : point_(point),
      propagation_(picoseconds(kit::isolated_flow(point).access.delay_s) +
                   picoseconds(point.dumbbell().bottleneck.delay_s) +
                   picoseconds(point.dumbbell().egress.delay_s) + picoseconds(point.return_delay_s) +
                   picoseconds(point.groups.front().extra_delay_s)),
      service_time_(kit::transmission_time(point.packet_bytes, point.dumbbell().bottleneck.rate_bit_per_s)),
      network_(point, seed,
               {.arrived = [](const SegmentHeader& /*packet*/, std::size_t /*found*/) {},
                .dropped = [this](const SegmentHeader& /*packet*/) { packet_dropped(); }}) {
  const double full =
      static_cast<double>(propagation_ / service_time_ + 1 + point.dumbbell().bottleneck.buffer_packets);
  const double part = (1 + kit::Random(seed, kit::Stream::kStart).uniform()) / 2;
  sender().SetAttribute("InitialThreshold", ns3::UintegerValue(static_cast<std::uint64_t>(full * part)));
  sender().TraceConnectWithoutContext("RoundTripEnded",
                                      ns3::MakeCallback(&CompoundFlow::round_trip_ended, this));
  sender().TraceConnectWithoutContext("Cut", ns3::MakeCallback(&CompoundFlow::window_cut, this));
  ns3::Simulator::ScheduleNow([this] { sender().StartTransfer(INT32_MAX); });
}

// A full buffer fixes the round trip.
void CompoundFlow::packet_dropped() {
  const auto round_trip = point_.dumbbell().bottleneck.buffer_packets * service_time_ + propagation_;
  if (!cycles_.dropped(now(), round_trip, static_cast<std::int32_t>(sender().GetWindow()))) {
    return;
  }
  const std::int64_t measured = cycles_.events() - 1 - point_.stop.warmup_loss_events;
  if (measured == 0) {
    restarted_ = now();
    network_.restart_measurements();
    cycles_.restart();
    trace_.time_s.clear();
    trace_.value.clear();
  } else if (measured > 0 && progress_) {
    progress_(measured, point_.stop.loss_events);
  }
  if (measured == point_.stop.loss_events) {
    ns3::Simulator::Stop();
  }
}

void CompoundFlow::round_trip_ended(const PacketCompound::RoundTripEnd& end) {
  cycles_.round_trip_ended({.window = static_cast<std::int32_t>(end.window),
                            .delay_window = static_cast<std::int32_t>(end.delayWindow),
                            .backlog = end.backlog,
                            .cut = end.cut});
  trace_window(sender().GetWindow());
}

void CompoundFlow::window_cut(std::uint32_t before, std::uint32_t after) {
  trace_window(before);
  trace_window(after);
  cycles_.window_cut(static_cast<std::int32_t>(after));
}

void CompoundFlow::trace_window(std::uint32_t window) {
  trace_.time_s.push_back(kit::seconds(now() - restarted_));
  trace_.value.push_back(window);
}

kit::Measurements CompoundFlow::run(const kit::Progress& progress) {
  progress_ = progress;
  ns3::Simulator::Run();
  kit::Measurements result = network_.close();
  result.packets = {};  // throughput is not what the paper looks at
  kit::report_compound_cycles(cycles_.cycles(), kit::seconds(result.measured),
                              static_cast<std::int32_t>(propagation_ / service_time_) + 1, result.probes);
  if (point_.probes.window_trace) {
    result.probes.traces.push_back(trace_);
  }
  return result;
}

}  // namespace tcp_atlas
