#include "kit/probes/loss_events.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "kit/random/random.hpp"

namespace kit {
namespace {

// Returns the flow of such a point. Throws Unsupported.
const SourceGroup& lone_flow(const Point& point) {
  const SourceGroup& flow = point.groups.front();
  const std::string whom = " with stop.loss_events";
  if (point.source_count() != 1) {
    throw Unsupported("sources.0.count: must be 1 in a single group" + whom);
  }
  if (!flow.workload.bulk()) {
    throw Unsupported("sources.0.workload.kind: must be bulk" + whom);
  }
  if (point.dumbbell().bottleneck.queue != Bottleneck::Queue::kDropTail) {
    throw Unsupported("links.bottleneck.queue: must be drop-tail" + whom);
  }
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    throw Unsupported("cross_traffic: must be absent" + whom);
  }
  const double propagation_s = flow.access.delay_s + point.dumbbell().bottleneck.delay_s +
                               point.dumbbell().egress.delay_s + point.return_delay_s + flow.extra_delay_s;
  const double most_in_flight =
      propagation_s * point.dumbbell().bottleneck.rate_bit_per_s / (8.0 * point.packet_bytes) +
      point.dumbbell().bottleneck.buffer_packets;
  if (flow.tcp.rwnd_packets < most_in_flight + 2) {
    throw Unsupported(
        "sources.0.tcp.rwnd_packets: never fills the buffer, so that no loss event ends the run; "
        "must be at least " +
        std::to_string(std::llround(std::ceil(most_in_flight)) + 2));
  }
  return flow;
}

}  // namespace

LossEvents::LossEvents(const Point& point)
    : propagation_(picoseconds(lone_flow(point).access.delay_s) +
                   picoseconds(point.dumbbell().bottleneck.delay_s) +
                   picoseconds(point.dumbbell().egress.delay_s) + picoseconds(point.return_delay_s) +
                   picoseconds(point.groups.front().extra_delay_s)),
      service_time_(transmission_time(point.packet_bytes, point.dumbbell().bottleneck.rate_bit_per_s)),
      buffer_packets_(point.dumbbell().bottleneck.buffer_packets),
      traced_(point.probes.window_trace) {}

std::int32_t LossEvents::first_threshold(std::uint64_t seed) const {
  const double full = path_packets() + buffer_packets_;
  return static_cast<std::int32_t>(full * (1 + Random(seed, Stream::kStart).uniform()) / 2);
}

ProbeResults LossEvents::results() const {
  ProbeResults results;
  report_cycles(cycles(), seconds(measured_), path_packets(), followed_, results);
  if (traced_) {
    Trace trace{.name = "window", .unit = "packets", .time_s = {}, .value = {}};
    for (const TracePoint& point : trace_) {
      trace.time_s.push_back(seconds(point.time));
      trace.value.push_back(point.window);
    }
    results.traces.push_back(std::move(trace));
  }
  return results;
}

}  // namespace kit
