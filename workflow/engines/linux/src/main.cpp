// linux: runs points on the Linux kernel's own TCP and queues, in virtual time. It needs the User-Mode Linux
// of uml/build.sh, where the variable TCP_ATLAS_UML says or else at build/uml/linux.

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kit/main/engine_main.hpp"
#include "simulate.hpp"
#include "user_mode_linux.hpp"

namespace {

namespace fs = std::filesystem;

// This program is build/<preset>/linux/linux.
fs::path kernel() {
  if (const char* own = std::getenv("TCP_ATLAS_UML")) {
    return fs::absolute(own);
  }
  return (fs::read_symlink("/proc/self/exe").parent_path() / "../../uml/linux").lexically_normal();
}

// The kernel into which uml/module.sh has linked the congestion control of a point, if it has one of its own.
// Throws kit::Unsupported if it has several.
fs::path kernel(const kit::Json& point) {
  std::string own;
  for (const kit::Json& group : point.at("sources")) {
    const std::string library = group.at("tcp").value("library", own);
    if (!own.empty() && library != own) {
      throw kit::Unsupported("tcp.library: one congestion control of one's own in a point");
    }
    own = library;
  }
  const std::string digest = own.substr(own.find(':') + 1, own.find(' ') - own.find(':') - 1);
  return own.empty() ? kernel() : kernel().parent_path() / "modules" / digest / "linux";
}

// Throws std::runtime_error unless the kernel is there and is made of the sources that this program was built
// with: the same program then gives the same bytes.
void check_kernel(const fs::path& path = kernel()) {
  if (::access(path.c_str(), X_OK) != 0) {
    const bool own = path.parent_path().parent_path().filename() == "modules";
    throw std::runtime_error("User-Mode Linux is not built (" + path.string() + "); " +
                             (own ? "./atlas judge FILE.c" : "./atlas setup") + " builds it");
  }
  std::string stamp;
  std::ifstream(path.parent_path() / "stamp") >> stamp;
  if (stamp != UML_STAMP) {
    throw std::runtime_error(path.string() + " is of other sources; ./atlas setup builds it again");
  }
}

kit::Json answer(const fs::path& file, std::uint64_t seed, const kit::Progress& progress) {
  const kit::Json json = kit::read_json(file);
  linux_engine::check(kit::parse_point(json, file.string()));
  check_kernel(kernel(json));
  kit::Json run = linux_engine::run_in_guest(json, seed, kernel(json));
  if (progress) {
    progress(1, 1);
  }
  return run;
}

// A transfer of one packet shows whether User-Mode Linux runs here; it takes a moment.
constexpr const char* kShortest = R"({
  "schema": "tcp-atlas/point/3", "study": "check", "set": "check", "point": "check", "kind": "dumbbell",
  "links": {"bottleneck": {"rate_bit_per_s": 1e6, "delay_s": 0, "loss_probability": 0, "queue": "drop-tail", "buffer_packets": 10},
            "egress": {"rate_bit_per_s": 1e12, "delay_s": 0}},
  "return_delay_s": 0, "packet_bytes": 1500, "ack_bytes": 0,
  "sources": [{"name": "sources", "count": 1, "workload": {"kind": "bulk"},
               "tcp": {"variant": "linux-cubic", "rwnd_packets": 64, "initial_window_packets": 2,
                       "min_rto_s": 1, "max_rto_s": 120},
               "access": {"rate_bit_per_s": 1e12, "delay_s": 0}, "extra_delay_s": 0}],
  "stop": {"transfer_packets": 1}, "probes": []})";

std::optional<std::string> missing() {
  try {
    check_kernel();
    linux_engine::run_in_guest(kit::Json::parse(kShortest), 1, kernel());
    return std::nullopt;
  } catch (const std::exception& failure) {
    return std::string(failure.what()) + "; the other engines run without it";
  }
}

constexpr kit::Engine kEngine{.name = "linux", .version = LINUX_ENGINE_VERSION, .missing = missing};

}  // namespace

int main(int argc, char** argv) {
  if (::getpid() == 1) {
    linux_engine::run_as_guest(kEngine);
  }
  return kit::engine_main(argc, argv, kEngine, "The Linux kernel's own TCP and queues, in virtual time",
                          answer);
}
