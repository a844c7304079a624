// SPDX-License-Identifier: GPL-2.0-only
// ns3: simulates TCP over dumbbells and local loops with ns-3, from the same points as packetsim.

#include "compound_flow.hpp"
#include "kit/main/engine_main.hpp"
#include "kit/variants/compound_flow.hpp"
#include "local_loop.hpp"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3_dumbbell.hpp"

namespace {

kit::Measurements simulate(const kit::Point& point, std::uint64_t seed, const kit::Progress& progress) {
  return kit::has_compound(point) ? tcp_atlas::CompoundFlow(point, seed).run(progress)
                                  : tcp_atlas::Dumbbell(point, seed).run(progress);
}

kit::LoopMeasurements simulate_loop(const kit::LocalLoopPoint& point, std::uint64_t seed,
                                    const kit::Progress& progress) {
  tcp_atlas::LocalLoop loop(point.settings, seed);
  kit::run_exactly(loop, point, progress);
  return loop.close();
}

}  // namespace

int main(int argc, char** argv) {
  // A tenth faster than ns-3's default, with the same order of events.
  ns3::Simulator::SetScheduler(ns3::ObjectFactory("ns3::PriorityQueueScheduler"));
  return kit::engine_main(argc, argv, {.name = "ns3", .version = TCP_ATLAS_NS3_VERSION},
                          "Simulates TCP over a dumbbell or a local loop with ns-3", simulate, simulate_loop);
}
