#include "run/simulate_local_loop.hpp"

#include <type_traits>

#include "network/local_loop.hpp"

namespace packetsim {
namespace {

template <class Connection, class Queue>
LoopMeasurements run(const LocalLoopPoint& point, std::uint64_t seed, const Progress& progress) {
  LocalLoop<Connection, Queue> loop(point.settings, seed);
  run_exactly(loop, point, progress);
  return loop.measurements();
}

}  // namespace

LoopMeasurements simulate_local_loop(const LocalLoopPoint& point, std::uint64_t seed,
                                     const Progress& progress) {
  using Readings = kit::local_loop::Readings;
  const auto by_queue = [&]<class Connection>(std::type_identity<Connection>) {
    if (point.settings.buffer.fifo) {
      return run<Connection, DropTailQueue>(point, seed, progress);
    }
    return point.settings.readings.head_of_line_in_buffer
               ? run<Connection, LoopQueue<false>>(point, seed, progress)
               : run<Connection, LoopQueue<true>>(point, seed, progress);
  };
  return point.settings.readings.loss_detection == Readings::LossDetection::kInstantaneous
             ? by_queue(std::type_identity<InformedConnection>())
             : by_queue(std::type_identity<CumulativeConnection>());
}

}  // namespace packetsim
