#include "live/containment.hpp"

#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "failure.hpp"
#include "live/experiment.hpp"
#include "process.hpp"

namespace linux_engine {
namespace {

void write_map(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) {
    throw unavailable(path);
  }
}

// Runs `work` and ends the process with its status.
template <typename Work>
[[noreturn]] void finish(const Work& work) {
  ::_exit(status_of(work));
}

// Makes the namespaces; the first child of a process namespace is its init, whose end is the end of all in
// it.
void contain(const Settings& settings, const std::filesystem::path& directory) {
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
    throw unavailable("making user and process namespaces, which sysctl user.max_user_namespaces limits");
  }
  write_map("/proc/self/setgroups", "deny");
  write_map("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
  write_map("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
  const pid_t init = ::fork();
  if (init < 0) {
    throw system_failure("starting the emulator");
  }
  if (init == 0) {
    end_with_parent(0);  // the parent is outside of the namespace: it has no number here
    finish([&] { run_experiment(settings, directory); });
  }
  ::_exit(wait_for(init));
}

}  // namespace

void run_live(const Settings& settings, const std::filesystem::path& out) {
  TemporaryDirectory directory(out);
  const std::filesystem::path said = directory.path() / "said";
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    throw system_failure("starting the emulator");
  }
  if (child == 0) {
    end_with_parent(self);
    ::dup2(open_said(said), STDERR_FILENO);
    finish([&] { contain(settings, directory.path()); });
  }
  const int status = wait_for(child);
  if (status != 0) {
    throw_failure(status, last_line(said));
  }
  std::filesystem::remove(said);
  directory.keep_as_wanted(directory.path());
}

}  // namespace linux_engine
