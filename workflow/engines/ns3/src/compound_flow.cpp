// SPDX-License-Identifier: GPL-2.0-only
#include "compound_flow.hpp"

#include "loss_cycle_metrics.hpp"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "random.hpp"
#include "units.hpp"

namespace tcp_atlas {

using packetsim::picoseconds;

CompoundFlow::CompoundFlow(const packetsim::Point& point, std::uint64_t seed)
    : point_(point),
      propagation_(picoseconds(point.access.delay_s) + picoseconds(point.bottleneck.delay_s) +
                   picoseconds(point.egress.delay_s) + picoseconds(point.return_delay_s)),
      service_time_(packetsim::transmission_time(point.packet_bytes, point.bottleneck.rate_bit_per_s)),
      network_(point, seed,
               {.arrived = [](const SegmentHeader& /*packet*/, std::size_t /*found*/) {},
                .dropped = [this](const SegmentHeader& /*packet*/) { packet_dropped(); }}) {
  const double full = static_cast<double>(propagation_ / service_time_ + 1 + point.bottleneck.buffer_packets);
  const double part = (1 + packetsim::Random(seed, packetsim::Stream::kStart).uniform()) / 2;
  sender().SetAttribute("InitialThreshold", ns3::UintegerValue(static_cast<std::uint64_t>(full * part)));
  sender().TraceConnectWithoutContext("RoundTripEnded",
                                      ns3::MakeCallback(&CompoundFlow::round_trip_ended, this));
  sender().TraceConnectWithoutContext("Cut", ns3::MakeCallback(&CompoundFlow::window_cut, this));
  ns3::Simulator::ScheduleNow([this] { sender().StartTransfer(INT32_MAX); });
}

// A full buffer fixes the round trip.
void CompoundFlow::packet_dropped() {
  const auto round_trip = point_.bottleneck.buffer_packets * service_time_ + propagation_;
  if (!loss_events_.dropped(now(), round_trip, static_cast<std::int32_t>(sender().GetWindow()))) {
    return;
  }
  const std::int64_t measured = loss_events_.events() - 1 - point_.warmup_loss_events;
  if (measured == 0) {
    restarted_ = now();
    network_.restart_measurements();
    loss_events_.restart();
    trace_.time_s.clear();
    trace_.value.clear();
  } else if (measured > 0 && progress_) {
    progress_(measured, point_.stop_loss_events);
  }
  if (measured == point_.stop_loss_events) {
    ns3::Simulator::Stop();
  }
}

void CompoundFlow::round_trip_ended(const PacketCompound::RoundTripEnd& end) {
  loss_events_.round_trip_ended({.window = static_cast<std::int32_t>(end.window),
                                 .delay_window = static_cast<std::int32_t>(end.delayWindow),
                                 .backlog = end.backlog,
                                 .cut = end.cut});
  trace_window(sender().GetWindow());
}

void CompoundFlow::window_cut(std::uint32_t before, std::uint32_t after) {
  trace_window(before);
  trace_window(after);
  loss_events_.window_cut(static_cast<std::int32_t>(after));
}

void CompoundFlow::trace_window(std::uint32_t window) {
  trace_.time_s.push_back(packetsim::seconds(now() - restarted_));
  trace_.value.push_back(window);
}

packetsim::Measurements CompoundFlow::run(const packetsim::Progress& progress) {
  progress_ = progress;
  ns3::Simulator::Run();
  packetsim::Measurements result = network_.close();
  result.packets = {};  // throughput is not what the paper looks at
  packetsim::report_cycles(loss_events_.cycles(), packetsim::seconds(result.measured),
                           static_cast<std::int32_t>(propagation_ / service_time_) + 1, result.probes);
  if (point_.probes.window_trace) {
    result.probes.traces.push_back(trace_);
  }
  return result;
}

}  // namespace tcp_atlas
