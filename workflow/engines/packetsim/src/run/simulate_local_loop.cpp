#include <type_traits>
#include <variant>

#include "kit/local_loop/settings_of.hpp"
#include "network/local_loop.hpp"
#include "network/source_groups.hpp"
#include "run/loops.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

using kit::local_loop::Settings;

template <class Connection, class Queue>
Measurements run_behind(const Point& point, const Settings& settings, const typename Connection::Rules& rules,
                        std::uint64_t seed, const Progress& progress) {
  LocalLoop<Connection, Queue> loop(settings, rules, seed);
  loop.run_until_sent(point.stop.warmup_packets);
  loop.restart_measurements();
  run_in_parts(point.stop.packets, progress, [&](std::int64_t end) { loop.run_until_sent(end); });
  return loop.measurements();
}

// The queues of the local loop's paper.
template <class Connection>
Measurements run(const Point& point, const Settings& settings, const typename Connection::Rules& rules,
                 std::uint64_t seed, const Progress& progress) {
  if (settings.buffer.fifo) {
    return run_behind<Connection, DropTailQueue>(point, settings, rules, seed, progress);
  }
  return settings.readings.head_of_line_in_buffer
             ? run_behind<Connection, LoopQueue<false>>(point, settings, rules, seed, progress)
             : run_behind<Connection, LoopQueue<true>>(point, settings, rules, seed, progress);
}

kit::Queue queue_of(const Point& point, const Settings& settings) {
  return *std::get<kit::LocalLoop>(point.topology).stations[settings.shared].queue;
}

// The propagation delays of a round trip.
Picoseconds delays(const Settings& settings) {
  Picoseconds sum = picoseconds(settings.return_delay_s);
  for (const kit::local_loop::Station& station : settings.path) {
    sum += picoseconds(station.delay_s);
  }
  return sum;
}

// With any variant: a queue costs one loop to compile, not one for each variant.
Measurements run_any(const Point& point, std::uint64_t seed, const Progress& progress) {
  using Connection = AcknowledgedConnection<Variants::AnySender>;
  const Settings settings = checked(kit::local_loop::network_of(point));
  const Connection::Rules rules = Connection::rules(point.groups.front().tcp, delays(settings));
  switch (queue_of(point, settings)) {
    case kit::Queue::kCodel:
      return run_behind<Connection, CodelQueue>(point, settings, rules, seed, progress);
    case kit::Queue::kFqCodel:
      return run_behind<Connection, FqCodelQueue>(point, settings, rules, seed, progress);
    case kit::Queue::kPie:
      return run_behind<Connection, PieQueue>(point, settings, rules, seed, progress);
    case kit::Queue::kRed:
      return run_behind<Connection, RedQueue>(point, settings, rules, seed, progress);
    case kit::Queue::kDropTail:
    case kit::Queue::kFairIndividual:
    case kit::Queue::kFairShared:
      return run<Connection>(point, settings, rules, seed, progress);
    default:
      throw Unsupported(
          "stations.queue: must be one of drop-tail, fair-individual, fair-shared, codel, fq-codel, pie, "
          "red");
  }
}

}  // namespace

Measurements simulate_local_loop(const Point& point, std::uint64_t seed, const Progress& progress) {
  const Tcp& tcp = point.groups.front().tcp;
  // With the readings of the local loop's paper.
  const auto with_readings = [&]<class Connection>(std::type_identity<Connection>) {
    const Settings settings = checked(kit::local_loop::settings_of(point));
    if (settings.buffer.managed) {
      throw Unsupported("stations.queue: must be drop-tail, fair-individual or fair-shared for this variant");
    }
    return run<Connection>(point, settings, Connection::rules(settings), seed, progress);
  };
  if (std::holds_alternative<InformedRenoParameters>(tcp.own)) {
    return with_readings(std::type_identity<InformedConnection>());
  }
  if (std::holds_alternative<LifelongRenoParameters>(tcp.own)) {
    return with_readings(std::type_identity<AcknowledgedConnection<LifelongReno>>());
  }
  return run_any(point, seed, progress);
}

}  // namespace packetsim
