// fixed_point: the users of a local loop, some of them exactly, the others by what these show.

#include <nlohmann/json.hpp>

#include "kit/main/engine_main.hpp"
#include "read_point.hpp"
#include "results.hpp"
#include "write_run.hpp"

int main(int argc, char** argv) {
  static constexpr kit::Engine kEngine{.name = "fixed_point", .version = FIXED_POINT_VERSION};
  return kit::engine_main(
      argc, argv, kEngine, "Simulates users of a local loop by a fixed point",
      kit::Answer([](const std::filesystem::path& file, std::uint64_t seed, const kit::Progress&) {
        const fixed_point::Point point = fixed_point::read_point(file);
        return fixed_point::run_json(point, seed, fixed_point::solve(point.settings, seed), kEngine);
      }));
}
