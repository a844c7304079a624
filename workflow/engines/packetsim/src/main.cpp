// packetsim: simulates TCP over dumbbells and local loops packet by packet.

#include <nlohmann/json.hpp>

#include "kit/main/engine_main.hpp"
#include "run/simulate.hpp"
#include "run/simulate_local_loop.hpp"

int main(int argc, char** argv) {
  using packetsim::kEngine;
  return kit::engine_main(
      argc, argv, kEngine, "Simulates TCP over a dumbbell or a local loop packet by packet",
      kit::Answer([](const std::filesystem::path& file, std::uint64_t seed, const kit::Progress& progress) {
        const kit::Json json = kit::read_json(file);
        if (packetsim::is_local_loop(json)) {
          const auto point = packetsim::parse_local_loop_point(json, file.string());
          return packetsim::local_loop_run(point, seed,
                                           packetsim::simulate_local_loop(point, seed, progress));
        }
        const kit::Point point = kit::parse_point(json, file.string());
        return kit::run_json(point, seed, packetsim::simulate(point, seed, progress), kEngine);
      }));
}
