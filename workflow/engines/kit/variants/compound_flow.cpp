#include "kit/variants/compound_flow.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace kit {

bool has_compound(const Point& point) {
  return std::ranges::any_of(point.groups,
                             [](const SourceGroup& group) { return group.tcp.variant == "compound"; });
}

const SourceGroup& isolated_flow(const Point& point) {
  const SourceGroup& flow = point.groups.front();
  const std::string whom = " with tcp.variant compound";
  if (point.source_count() != 1) {
    throw Unsupported("sources.0.count: must be 1 in a single group" + whom);
  }
  if (!flow.workload.bulk()) {
    throw Unsupported("sources.0.workload.kind: must be bulk" + whom);
  }
  if (point.stop.loss_events == 0) {
    throw Unsupported("stop: must be loss_events" + whom);
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

}  // namespace kit
