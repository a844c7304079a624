#include "run/simulate_isolated_flow.hpp"

#include <utility>
#include <variant>

#include "kit/probes/compound_cycles.hpp"
#include "kit/variants/compound_flow.hpp"
#include "network/isolated_flow.hpp"
#include "tcp/compound.hpp"
#include "tcp/compound_draft.hpp"
#include "tcp/compound_linux.hpp"

namespace packetsim {
namespace {

template <class Window>
Trace window_trace(const IsolatedFlow<Window>& flow) {
  Trace trace{.name = "window", .unit = "packets", .time_s = {}, .value = {}};
  for (const auto& point : flow.trace()) {
    trace.time_s.push_back(seconds(point.time));
    trace.value.push_back(point.window);
  }
  return trace;
}

template <class Window>
Measurements run(const Point& point, std::uint64_t seed, const Progress& progress) {
  IsolatedFlow<Window> flow(point, seed, Window(std::get<CompoundParameters>(point.groups.front().tcp.own)));
  const std::int64_t first = point.stop.warmup_loss_events + 1;
  flow.run_until_loss_event(first);
  flow.restart_measurements();
  for (std::int64_t event = 1; event <= point.stop.loss_events; ++event) {
    flow.run_until_loss_event(first + event);
    if (progress) {
      progress(event, point.stop.loss_events);
    }
  }
  Measurements measurements = flow.measurements();
  report_compound_cycles(flow.cycles(), seconds(flow.measured()), flow.path_packets(), measurements.probes);
  if (point.probes.window_trace) {
    measurements.probes.traces.push_back(window_trace(flow));
  }
  return measurements;
}

}  // namespace

Measurements simulate_isolated_flow(const Point& point, std::uint64_t seed, const Progress& progress) {
  return std::get<CompoundParameters>(isolated_flow(point).tcp.own).linux_integers
             ? run<Compound<CompoundLinux>>(point, seed, progress)
             : run<Compound<CompoundDraft>>(point, seed, progress);
}

}  // namespace packetsim
