// SPDX-License-Identifier: GPL-2.0-only
// ns3_tcp: bulk transfers over a dumbbell by the TCP and the queue disciplines that ns-3 comes with.

#include "kit/main/engine_main.hpp"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "simulation.hpp"

namespace {

constexpr kit::Engine kEngine = {.name = "ns3_tcp", .version = TCP_ATLAS_NS3_VERSION};

kit::Measurements simulate(const kit::Point& point, std::uint64_t seed, const kit::Progress& progress) {
  return ns3_tcp::Simulation(point, seed).run(progress);
}

}  // namespace

int main(int argc, char** argv) {
  ns3::Simulator::SetScheduler(ns3::ObjectFactory("ns3::PriorityQueueScheduler"));
  return kit::engine_main(argc, argv, kEngine, "Simulates bulk transfers over a dumbbell with ns-3's own TCP",
                          simulate);
}
