// SPDX-License-Identifier: GPL-2.0-only
// ns3: simulates a TCP dumbbell with ns-3, from the same points as packetsim.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "ns3_dumbbell.hpp"
#include "point.hpp"
#include "run.hpp"

namespace {

nlohmann::ordered_json simulate(const packetsim::Point& point, std::uint64_t seed, bool show_progress) {
  tcp_atlas::Dumbbell dumbbell(point, seed);
  tcp_atlas::Dumbbell::Progress progress;
  if (show_progress) {
    progress = [](std::int64_t completed, std::int64_t asked) {
      std::fprintf(stderr, "ns3: %3lld %% of %lld connections\n",
                   static_cast<long long>(completed * 100 / asked), static_cast<long long>(asked));
    };
  }
  nlohmann::ordered_json run = packetsim::run_json(point, seed, dumbbell.run(progress));
  run["engine"] = "ns3";
  run["engine_version"] = TCP_ATLAS_NS3_VERSION;
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Simulates a TCP dumbbell with ns-3: reads a parameter point, writes what it measured.\n"
      "The same point and seed give the same bytes."};
  app.set_version_flag("--version", std::string("ns3 ") + TCP_ATLAS_NS3_VERSION);
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
    packetsim::write_atomically(simulate(point, seed, show_progress), out_file);
  } catch (const tcp_atlas::Unsupported& error) {
    std::fprintf(stderr, "%s: %s\n", point_file.c_str(), error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
