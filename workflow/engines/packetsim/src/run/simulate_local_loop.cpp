#include "run/simulate_local_loop.hpp"

#include <type_traits>
#include <variant>

#include "kit/local_loop/settings_of.hpp"
#include "network/local_loop.hpp"
#include "network/source_groups.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

using kit::local_loop::Settings;

template <class Connection>
Measurements run(const Point& point, const Settings& settings, const typename Connection::Rules& rules,
                 std::uint64_t seed, const Progress& progress) {
  const auto behind = [&]<class Queue>(std::type_identity<Queue>) {
    LocalLoop<Connection, Queue> loop(settings, rules, seed);
    loop.run_until_sent(point.stop.warmup_packets);
    loop.restart_measurements();
    run_in_parts(point.stop.packets, progress, [&](std::int64_t end) { loop.run_until_sent(end); });
    return loop.measurements();
  };
  if (settings.buffer.fifo) {
    return behind(std::type_identity<DropTailQueue>());
  }
  return settings.readings.head_of_line_in_buffer ? behind(std::type_identity<LoopQueue<false>>())
                                                  : behind(std::type_identity<LoopQueue<true>>());
}

}  // namespace

Measurements simulate_local_loop(const Point& point, std::uint64_t seed, const Progress& progress) {
  const Tcp& tcp = point.groups.front().tcp;
  // With the readings of the local loop's paper.
  const auto with_readings = [&]<class Connection>(std::type_identity<Connection>) {
    const Settings settings = checked(kit::local_loop::settings_of(point));
    return run<Connection>(point, settings, Connection::rules(settings), seed, progress);
  };
  if (std::holds_alternative<InformedRenoParameters>(tcp.own)) {
    return with_readings(std::type_identity<InformedConnection>());
  }
  if (std::holds_alternative<LifelongRenoParameters>(tcp.own)) {
    return with_readings(std::type_identity<CumulativeConnection<LifelongReno>>());
  }
  if (tcp.delayed_ack) {
    throw Unsupported("sources.0.tcp.delayed_ack: must be absent in a local loop");
  }
  const Settings settings = checked(kit::local_loop::network_of(point));
  return Variants::visit(tcp.variant, [&]<class Variant>(std::type_identity<Variant>) -> Measurements {
    if constexpr (requires { Variant::kWindow; }) {
      throw Unsupported(
          "sources.0.tcp.variant: must be one with cumulative acknowledgements in a local loop");
    } else {
      return run<CumulativeConnection<Variant>>(point, settings, {.limits = limits_of(tcp)}, seed, progress);
    }
  });
}

}  // namespace packetsim
