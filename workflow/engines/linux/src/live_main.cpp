// linux_live: measures bulk transfers of this machine's own TCP over an emulated link, in real time. It needs
// user namespaces and /dev/net/tun.

#include "engine.hpp"
#include "failure.hpp"
#include "live.hpp"

namespace {

using linux_engine::Settings;
using linux_engine::TooLate;

constexpr std::string_view kStack = "2002-abc";  // any kernel can be set to it
constexpr int kAttempts = 3;                     // a processor that was too busy may not be so for long

void run(const Settings& settings, const std::filesystem::path& out) {
  if (settings.stack != kStack) {
    throw kit::Unsupported("tcp.variant: in real time one of linux-reno");
  }
  for (int attempt = 1;; ++attempt) {
    try {
      return linux_engine::run_live(settings, out);
    } catch (const TooLate& late) {
      if (attempt == kAttempts) {
        throw kit::Unavailable(late.what());
      }
    }
  }
}

// A transfer of one segment shows whether it is possible here; it takes two seconds.
constexpr kit::Engine kEngine{.name = "linux_live", .version = LINUX_ENGINE_VERSION, .missing = [] {
                                return linux_engine::missing(run, {.stack = std::string(kStack), .bytes = 1});
                              }};

}  // namespace

int main(int argc, char** argv) {
  return kit::engine_main(argc, argv, kEngine,
                          "Transfers by this machine's own TCP over an emulated link, in real time",
                          std::bind_front(linux_engine::simulate, run));
}
