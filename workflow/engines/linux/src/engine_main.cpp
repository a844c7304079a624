// linux: measures bulk transfers of the Linux kernel's TCP over an emulated link, in virtual time. It needs
// the User-Mode Linux of uml/build.sh, where the variable TCP_ATLAS_UML says or else at build/uml/linux.

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "engine.hpp"
#include "failure.hpp"
#include "virtual_time.hpp"

namespace {

namespace fs = std::filesystem;
using linux_engine::Settings;

// This program is build/<preset>/linux/linux.
fs::path kernel() {
  if (const char* own = std::getenv("TCP_ATLAS_UML")) {
    return own;
  }
  return (fs::read_symlink("/proc/self/exe").parent_path() / "../../uml/linux").lexically_normal();
}

// Throws kit::Unavailable unless the kernel is there and is made of the sources that this program was built
// with: the same program then gives the same bytes.
void check_kernel() {
  const fs::path path = kernel();
  if (::access(path.c_str(), X_OK) != 0) {
    throw kit::Unavailable("User-Mode Linux is not built (" + path.string() +
                           "); ./atlas setup --with-linux builds it");
  }
  std::string stamp;
  std::ifstream(path.parent_path() / "stamp") >> stamp;
  if (stamp != UML_STAMP) {
    throw kit::Unavailable(path.string() +
                           " is of other sources; ./atlas setup --with-linux builds it again");
  }
}

void run(const Settings& settings, const fs::path& out) {
  check_kernel();
  linux_engine::run_in_virtual_time(settings, kernel(), out);
}

// A transfer of one segment shows whether User-Mode Linux runs here; it takes a moment.
constexpr kit::Engine kEngine{.name = "linux", .version = LINUX_ENGINE_VERSION, .missing = [] {
                                return linux_engine::missing(run, {.bytes = 1});
                              }};

}  // namespace

int main(int argc, char** argv) {
  if (::getpid() == 1) {
    linux_engine::run_as_guest();
  }
  return kit::engine_main(argc, argv, kEngine,
                          "Transfers by the Linux kernel's TCP over an emulated link, in virtual time",
                          std::bind_front(linux_engine::simulate, run));
}
