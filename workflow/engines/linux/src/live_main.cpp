// linux_live: measures bulk transfers of this machine's own TCP over an emulated link, in real time. It needs
// user namespaces and /dev/net/tun.

#include "engine.hpp"
#include "failure.hpp"
#include "live.hpp"

namespace {

using seawind::Failure;
using seawind::Settings;
using seawind::Status;

constexpr std::string_view stack = "2002-abc";  // any kernel can be set to it
constexpr int attempts = 3;                     // a processor that was too busy may not be so for long

void run(const Settings& settings, const std::filesystem::path& out) {
  if (settings.stack != stack) throw kit::Unsupported("tcp.variant: in real time one of linux-reno");
  for (int attempt = 1;; ++attempt) {
    try {
      return seawind::run_live(settings, out);
    } catch (const Failure& failure) {
      const bool late = failure.status() == Status::too_late;
      if (late && attempt < attempts) continue;
      if (late || failure.status() == Status::unavailable) throw kit::Unavailable(failure.what());
      throw;
    }
  }
}

// A transfer of one segment shows whether it is possible here; it takes two seconds.
constexpr kit::Engine engine{.name = "linux_live", .version = LINUX_ENGINE_VERSION, .missing = [] {
                               return seawind::missing(run, {.stack = std::string(stack), .bytes = 1});
                             }};

}  // namespace

int main(int argc, char** argv) {
  return kit::engine_main(argc, argv, engine,
                          "Transfers by this machine's own TCP over an emulated link, in real time",
                          std::bind_front(seawind::simulate, run));
}
