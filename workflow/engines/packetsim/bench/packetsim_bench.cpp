// Packets per core-second. Counters: packets sent by all sources over CPU time.

#include <benchmark/benchmark.h>

#include "kit/tests/points.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

void run(benchmark::State& state, const Point& point) {
  std::int64_t packets = 0;
  for (auto _ : state) {
    packets += simulate(point, 1).counters.packets_sent;
  }
  state.counters["packets_per_second"] =
      benchmark::Counter(static_cast<double>(packets), benchmark::Counter::kIsRate);
}

// Table 6 of Zaragoza 2014, N = 134, E: the target's point, a tenth of its length.
void table_6_n134(benchmark::State& state) {
  Point point = table_6_point(134, 200);
  point.stop.connections = 80'000;
  run(state, point);
}
BENCHMARK(table_6_n134)->Unit(benchmark::kMillisecond);

// The same load on a link as much faster as there are more sources.
void sources(benchmark::State& state) {
  const auto count = static_cast<std::int32_t>(state.range(0));
  Point point = table_6_point(count, count * 3 / 2);
  point.dumbbell().bottleneck.rate_bit_per_s = 10e6 * count / 134.0;
  point.stop.connections = std::max<std::int64_t>(40'000, 2 * count);
  run(state, point);
}
BENCHMARK(sources)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMillisecond);

// The same sources before buffers of very different length.
void buffer(benchmark::State& state) {
  Point point = table_6_point(134, static_cast<std::int32_t>(state.range(0)));
  point.stop.connections = 40'000;
  run(state, point);
}
BENCHMARK(buffer)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace packetsim
