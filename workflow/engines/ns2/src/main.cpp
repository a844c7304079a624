// ns2: sources without end that share one station, by the simulator ns-2 itself.

#include <nlohmann/json.hpp>

#include "kit/main/engine_main.hpp"
#include "ns2.hpp"
#include "simulate.hpp"

int main(int argc, char** argv) {
  static constexpr kit::Engine kEngine{.name = "ns2", .version = NS2_ENGINE_VERSION, .missing = ns2::missing};
  return kit::engine_main(
      argc, argv, kEngine, "Simulates sources that share one station by ns-2",
      kit::Answer([](const std::filesystem::path& file, std::uint64_t seed, const kit::Progress&) {
        return ns2::simulate(kit::read_point(file), seed, kEngine);
      }));
}
