// SPDX-License-Identifier: GPL-2.0-only
// ns3: simulates TCP over dumbbells and local loops with ns-3, from the same points as packetsim.

#include <nlohmann/json.hpp>
#include <variant>

#include "kit/local_loop/exact_run.hpp"
#include "kit/main/engine_main.hpp"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "simulation.hpp"

namespace {

constexpr kit::Engine kEngine = {.name = "ns3", .version = TCP_ATLAS_NS3_VERSION};

kit::Json simulate(const std::filesystem::path& file, std::uint64_t seed, const kit::Progress& progress) {
  const kit::Point point = kit::read_point(file);
  tcp_atlas::Simulation simulation(point, seed);
  const kit::Measurements measured = simulation.run(progress);
  if (!std::holds_alternative<kit::LocalLoop>(point.topology)) {
    return kit::run_json(point, seed, measured, kEngine);
  }
  return kit::local_loop_run(tcp_atlas::Simulation::loop_point_of(point, file.string()), seed,
                             simulation.loop_measurements(), kEngine);
}

}  // namespace

int main(int argc, char** argv) {
  // A tenth faster than ns-3's default, with the same order of events.
  ns3::Simulator::SetScheduler(ns3::ObjectFactory("ns3::PriorityQueueScheduler"));
  return kit::engine_main(argc, argv, kEngine, "Simulates TCP over a dumbbell or a local loop with ns-3",
                          simulate);
}
