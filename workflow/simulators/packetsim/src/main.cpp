// packetsim: simulates a TCP dumbbell packet by packet.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "point.hpp"
#include "run.hpp"
#include "simulate.hpp"

int main(int argc, char** argv) {
  CLI::App app{
      "Simulates a TCP dumbbell packet by packet: reads a parameter point, writes what it measured.\n"
      "The same point and seed give the same bytes."};
  app.set_version_flag("--version", std::string("packetsim ") + PACKETSIM_VERSION);
  std::filesystem::path point_file;
  std::filesystem::path out_file;
  std::uint64_t seed = 0;
  bool show_progress = false;
  app.add_option("--point", point_file, "parameter point (JSON, see docs/formats.md)")->required();
  app.add_option("--seed", seed, "seed of the random streams (a whole number from 0)")->required();
  app.add_option("--out", out_file, "where the run is written (JSON); its folder must exist")->required();
  app.add_flag("--progress", show_progress, "tell on standard error how far the run is");
  CLI11_PARSE(app, argc, argv);

  try {
    const packetsim::Point point = packetsim::read_point(point_file);
    packetsim::Progress progress;
    if (show_progress) {
      progress = [](std::int64_t done, std::int64_t all) {
        std::fprintf(stderr, "packetsim: %3lld %%\n", static_cast<long long>(done * 100 / all));
      };
    }
    packetsim::write_atomically(packetsim::run_json(point, seed, packetsim::simulate(point, seed, progress)),
                                out_file);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
