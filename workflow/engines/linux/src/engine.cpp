#include "engine.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "experiment.hpp"
#include "failure.hpp"
#include "measure.hpp"
#include "process.hpp"
#include "settings_of_point.hpp"

namespace linux_engine {
namespace {

namespace fs = std::filesystem;

ChannelCounters counters_of(const fs::path& run) {
  return nlohmann::json::parse(std::ifstream(run)).get<ChannelCounters>();
}

// Runs `use` on the directory that a run leaves, which is copied to where TCP_ATLAS_LOGS says.
template <typename Use>
auto use_run(const Run& run, const Settings& settings, Use use) {
  const TemporaryDirectory directory(fs::temp_directory_path() /
                                     ("tcp-atlas-linux-" + std::to_string(::getpid())));
  const fs::path out = directory.path() / "run";
  run(settings, out);
  if (const char* logs = std::getenv("TCP_ATLAS_LOGS")) {
    fs::copy(out, logs, fs::copy_options::recursive);
  }
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
  const Settings settings = settings_of(point, seed);
  kit::Measurements found = use_run(run, settings, [&](const fs::path& out) {
    return measure(point, settings, read_packet_log(out / "sender.pcap"), counters_of(out / "counters.json"));
  });
  if (progress) {
    progress(1, 1);
  }
  return found;
}

}  // namespace linux_engine
