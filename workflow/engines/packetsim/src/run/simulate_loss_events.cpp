#include <type_traits>

#include "kit/probes/loss_events.hpp"
#include "network/dumbbell.hpp"
#include "run/loops.hpp"
#include "tcp/variants.hpp"

namespace packetsim {

Measurements simulate_loss_events(const Point& point, std::uint64_t seed, const Progress& progress) {
  // Compound TCP's paper has flows that are alone.
  using Draft = Compound<CompoundDraft>;
  using Linux = Compound<CompoundLinux>;
  const Tcp& tcp = point.groups.front().tcp;
  return Variants::visit<Draft, Linux>(tcp, [&]<class Variant>(std::type_identity<Variant>) {
    Dumbbell<Variant, kit::LossEvents> dumbbell(point, seed, kit::LossEvents(point));
    const std::int64_t first = point.stop.warmup_loss_events + 1;
    dumbbell.run_until_loss_event(first);
    dumbbell.restart_measurements();
    run_in_parts(point.stop.loss_events, progress,
                 [&](std::int64_t end) { dumbbell.run_until_loss_event(first + end); });
    Measurements measurements = dumbbell.measurements();
    measurements.packets = {};  // throughput is not what is looked at
    measurements.probes = dumbbell.observer().results();
    return measurements;
  });
}

}  // namespace packetsim
