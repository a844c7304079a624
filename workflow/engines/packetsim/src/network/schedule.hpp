// How a dumbbell's events are put in order: in windows of time, or one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kit.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

// A packet that reaches the bottleneck comes back as an acknowledgement no sooner than the lookahead later: a
// service, the delays and a transmission on the egress link. In a window no longer than that, all events at
// the senders can be handled first and all arrivals at the bottleneck after them: these cannot change what
// the senders have done. Where a window would hold few packets, or probes want to see both in one order, or
// a receiver may end a file (of a persistent connection), or the number of packets sent a run, or the link's
// delay varies, or acknowledgements queue, or packets have sizes of their own, events are handled one by one.
struct Schedule {
  bool in_order;  // one by one
  int shift;      // a window, or a bin of events, is 2^shift picoseconds

  Schedule(const Point& point, bool observed) {
    // Below, windows cost more than they save.
    constexpr double kFewPackets = 20;  // in a lookahead, at most
    constexpr std::int32_t kFewSources = 20;
    const Picoseconds service_time =
        transmission_time(point.packet_bytes, point.dumbbell().bottleneck.highest_rate_bit_per_s());
    const bool fair = point.dumbbell().bottleneck.queue != Bottleneck::Queue::kDropTail;
    const double extra_delay_s = std::ranges::min(point.groups, {}, [](const SourceGroup& group) {
                                   return group.extra_delay_s;
                                 }).extra_delay_s;
    // What comes before a fair queue's departure is known only when it departs.
    const Picoseconds lookahead =
        (fair ? 0 : service_time) + picoseconds(point.dumbbell().bottleneck.delay_s) +
        transmission_time(point.packet_bytes, point.dumbbell().egress.rate_bit_per_s) +
        picoseconds(point.dumbbell().egress.delay_s) + picoseconds(point.return_delay_s) +
        picoseconds(extra_delay_s);
    const bool any_persistent = std::ranges::any_of(
        point.groups, [](const SourceGroup& group) { return group.workload.persistent(); });
    in_order = observed || any_persistent || point.stop.packets > 0 || point.source_count() < kFewSources ||
               point.dumbbell().has_detours() || point.has_sizes() ||
               static_cast<double>(lookahead) < kFewPackets * static_cast<double>(service_time);
    // One by one, bins that hold several timers and starts and most of the acknowledgements at once cost
    // least.
    const Picoseconds long_bin =
        8 * std::clamp(lookahead, picoseconds(1) / point.source_count(), picoseconds(3600));
    shift = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(in_order ? long_bin : lookahead))) - 1;
  }
};

}  // namespace packetsim
