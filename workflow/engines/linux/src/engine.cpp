#include "engine.hpp"

#include <unistd.h>

#include <fstream>

#include "experiment.hpp"
#include "failure.hpp"
#include "measure.hpp"
#include "point_settings.hpp"
#include "process.hpp"

namespace seawind {
namespace {

namespace fs = std::filesystem;

constexpr double largest_seed = 0x1p53;

ChannelCounters counters_of(const fs::path& run) {
  return nlohmann::json::parse(std::ifstream(run)).at("from_sender").get<ChannelCounters>();
}

// Runs `use` on the directory that a run leaves.
template <typename Use>
auto use_run(const Run& run, const Settings& settings, Use use) {
  const TemporaryDirectory directory(fs::temp_directory_path() /
                                     ("tcp-atlas-linux-" + std::to_string(::getpid())));
  const fs::path out = directory.path() / "run";
  run(settings, out);
  return use(out);
}

}  // namespace

std::optional<std::string> missing(const Run& run, const Settings& shortest) {
  try {
    return use_run(run, shortest, [](const fs::path&) { return std::optional<std::string>(); });
  } catch (const std::exception& failure) {
    return std::string(failure.what()) + "; the other engines run without it";
  }
}

kit::Measurements simulate(const Run& run, const kit::Point& point, std::uint64_t seed,
                           const kit::Progress& progress) {
  if (static_cast<double>(seed) > largest_seed) throw Failure("--seed: at most 2^53");
  const Settings settings = settings_of(point, seed);
  kit::Measurements found = use_run(run, settings, [&](const fs::path& out) {
    return measure(point, settings, read_packet_log(out / "sender.pcap"), counters_of(out / "run.json"));
  });
  if (progress) progress(1, 1);
  return found;
}

}  // namespace seawind
