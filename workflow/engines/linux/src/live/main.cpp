// linux_live: measures bulk transfers of this machine's own TCP over an emulated link, in real time. It needs
// user namespaces and /dev/net/tun.

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "failure.hpp"
#include "live/containment.hpp"
#include "live/experiment.hpp"
#include "live/measure.hpp"
#include "live/settings_of_point.hpp"
#include "process.hpp"

namespace {

namespace fs = std::filesystem;
using namespace linux_engine;

constexpr int kAttempts = 3;  // a processor that was too busy may not be so for long

// Runs `use` on the directory that a run leaves, which is copied to where TCP_ATLAS_LOGS says.
template <typename Use>
auto use_run(const Settings& settings, Use use) {
  const TemporaryDirectory directory(fs::temp_directory_path() /
                                     ("tcp-atlas-linux-" + std::to_string(::getpid())));
  const fs::path out = directory.path() / "run";
  for (int attempt = 1;; ++attempt) {
    try {
      run_live(settings, out);
      break;
    } catch (const TooLate& late) {
      if (attempt == kAttempts) {
        throw kit::Unavailable(late.what());
      }
    }
  }
  if (const char* logs = std::getenv("TCP_ATLAS_LOGS")) {
    fs::copy(out, logs, fs::copy_options::recursive);
  }
  return use(out);
}

// A transfer of one segment shows whether it is possible here; it takes two seconds.
std::optional<std::string> missing() {
  try {
    return use_run({.bytes = 1}, [](const fs::path&) { return std::optional<std::string>(); });
  } catch (const std::exception& failure) {
    return std::string(failure.what()) + "; the other engines run without it";
  }
}

ChannelCounters counters_of(const fs::path& file) {
  return nlohmann::json::parse(std::ifstream(file)).get<ChannelCounters>();
}

kit::Measurements simulate(const kit::Point& point, std::uint64_t seed, const kit::Progress& progress) {
  const Settings settings = settings_of(point, seed);
  kit::Measurements found = use_run(settings, [&](const fs::path& out) {
    return measure(point, settings, read_packet_log(out / "sender.pcap"), counters_of(out / "counters.json"));
  });
  if (progress) {
    progress(1, 1);
  }
  return found;
}

constexpr kit::Engine kEngine{.name = "linux_live", .version = LINUX_ENGINE_VERSION, .missing = missing};

}  // namespace

int main(int argc, char** argv) {
  return kit::engine_main(argc, argv, kEngine,
                          "Transfers by this machine's own TCP over an emulated link, in real time",
                          simulate);
}
