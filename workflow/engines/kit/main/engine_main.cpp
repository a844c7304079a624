#include "kit/main/engine_main.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kit/variants/external_parameters.hpp"

namespace kit {

int engine_main(int argc, char** argv, const Engine& engine, const std::string& what_it_does,
                const Answer& answer) {
  CLI::App app{
      what_it_does +
      ": reads a parameter point, writes what it measured.\nThe same point and seed give the same bytes."};
  app.set_version_flag("--version", std::string(engine.name) + " " + engine.version);
  std::filesystem::path point_file;
  std::filesystem::path out_file;
  std::uint64_t seed = 0;
  bool show_progress = false;
  app.add_option("--point", point_file, "parameter point (JSON, see docs/formats.md)")->required();
  app.add_option("--seed", seed, "seed of the random streams (a whole number from 0)")->required();
  app.add_option("--out", out_file, "where the run is written (JSON); its folder must exist")->required();
  app.add_flag("--progress", show_progress, "tell on standard error how far the run is");
  app.add_flag("--allow-library", ExternalParameters::allowed,
               "run the congestion controllers of the shared objects that the point names");
  app.add_flag_callback(
      "--check",
      [&engine] {
        if (const auto missing = engine.missing == nullptr ? std::nullopt : engine.missing()) {
          std::fprintf(stderr, "%s: %s\n", engine.name, missing->c_str());
          throw CLI::RuntimeError(1);
        }
        throw CLI::Success();
      },
      "exit 0 if the engine can run on this machine, else say what is missing");
  CLI11_PARSE(app, argc, argv);

  try {
    Progress progress;
    if (show_progress) {
      progress = [&engine](std::int64_t done, std::int64_t all) {
        std::fprintf(stderr, "%s: %3lld %%\n", engine.name, static_cast<long long>(done * 100 / all));
      };
    }
    write_atomically(answer(point_file, seed, progress), out_file);
  } catch (const Unsupported& error) {
    std::fprintf(stderr, "%s: %s\n", point_file.c_str(), error.what());
    return kNotOffered;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

int engine_main(int argc, char** argv, const Engine& engine, const std::string& what_it_does,
                const Simulate& simulate) {
  const Answer answer = [&](const std::filesystem::path& file, std::uint64_t seed, const Progress& progress) {
    const Point point = read_point(file);
    return run_json(point, seed, simulate(point, seed, progress), engine);
  };
  return engine_main(argc, argv, engine, what_it_does, answer);
}

}  // namespace kit
