#include "engine.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "failure.hpp"
#include "measure.hpp"
#include "point_settings.hpp"
#include "process.hpp"
#include "virtual_time.hpp"

namespace seawind {
namespace {

namespace fs = std::filesystem;

constexpr double largest_seed = 0x1p53;

// This program is build/<preset>/linux/linux.
fs::path kernel() {
  if (const char* own = std::getenv("TCP_ATLAS_UML")) return own;
  return (fs::read_symlink("/proc/self/exe").parent_path() / "../../uml/linux").lexically_normal();
}

// Throws Failure unless the kernel is there and is made of the sources that this program was built with: the
// same program then gives the same bytes.
void check_kernel() {
  const fs::path path = kernel();
  if (::access(path.c_str(), X_OK) != 0)
    throw Failure("User-Mode Linux is not built (" + path.string() +
                  "); ./atlas setup --with-linux builds it");
  std::string stamp;
  std::ifstream(path.parent_path() / "stamp") >> stamp;
  if (stamp != UML_STAMP)
    throw Failure(path.string() + " is of other sources; ./atlas setup --with-linux builds it again");
}

ChannelCounters counters_of(const fs::path& run) {
  const auto json = nlohmann::json::parse(std::ifstream(run))["from_sender"];
  return {.offered = json["offered"],
          .dropped_by_queue = json["dropped_by_queue"],
          .lost_on_link = json["lost_on_link"],
          .delivered = json["delivered"]};
}

// Runs `use` on the directory that a run leaves.
template <typename Use>
auto run(const Settings& settings, Use use) {
  check_kernel();
  const TemporaryDirectory directory(fs::temp_directory_path() /
                                     ("tcp-atlas-linux-" + std::to_string(::getpid())));
  const fs::path out = directory.path() / "run";
  run_in_virtual_time(settings, kernel(), out);
  return use(out);
}

// A transfer of one segment shows whether User-Mode Linux runs here; it takes a moment.
std::optional<std::string> missing() {
  try {
    return run(Settings{.bytes = 1}, [](const fs::path&) { return std::optional<std::string>(); });
  } catch (const std::exception& failure) {
    return std::string(failure.what()) + "; the other engines run without it";
  }
}

}  // namespace

const kit::Engine engine{.name = "linux", .version = "0.1.0", .missing = missing};

kit::Measurements simulate(const kit::Point& point, std::uint64_t seed, const kit::Progress& progress) {
  if (static_cast<double>(seed) > largest_seed) throw Failure("--seed: at most 2^53");
  const Settings settings = settings_of(point, seed);
  kit::Measurements found = run(settings, [&](const fs::path& out) {
    return measure(point, settings, read_packet_log(out / "sender.pcap"), counters_of(out / "run.json"));
  });
  if (progress) progress(1, 1);
  return found;
}

}  // namespace seawind
