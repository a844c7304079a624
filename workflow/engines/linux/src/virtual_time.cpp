#include "virtual_time.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace linux_engine {
namespace {

// Processor seconds after which a guest is taken to be stuck: in virtual time it would never end by itself.
constexpr rlim_t kGuestLimitS = 3'600;

// The guest's own root: the program, places to mount /proc and /dev, and where results go.
std::filesystem::path make_root(const Settings& settings, const std::filesystem::path& directory) {
  const auto root = directory / "root";
  for (const char* name : {"proc", "dev", "out"}) {
    std::filesystem::create_directories(root / name);
  }
  std::filesystem::copy_file("/proc/self/exe", root / "init");
  std::ofstream(root / "settings.json") << nlohmann::json(settings);
  return root;
}

// User-Mode Linux and its processes hand each system call to one another and wait: on one processor that is a
// change of context, on two each has to be woken from idleness, which takes twice as long. The scheduler has
// just chosen the processor on which this process starts; where it may not be kept, the run is only slower.
void stay_on_one_processor() {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &here);
  ::sched_setaffinity(0, sizeof here, &here);
}

[[noreturn]] void boot(const Settings& settings, const std::filesystem::path& kernel,
                       const std::filesystem::path& directory) {
  std::filesystem::current_path(directory);
  // The command line feeds the kernel's random numbers: no path of this run may appear in it, nor its
  // memory's size vary. The clock begins at 10^9 s after the epoch, in 2001.
  std::vector<std::string> words{"linux",
                                 "mem=64M",
                                 "time-travel=inf-cpu",
                                 "time-travel-start=1000000000000000000",
                                 "root=hostfs",
                                 "rootfstype=hostfs",
                                 "rootflags=/proc/self/cwd/root",
                                 "rw",
                                 "init=/init",
                                 "con=null",
                                 "con0=null,fd:1",
                                 "console=tty0",
                                 "norandmaps",
                                 "quiet",
                                 "panic=-1",
                                 "uml_dir=/proc/self/cwd/",
                                 "umid=u"};
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);

  // Restartable sequences of the C library crash under User-Mode Linux; its memory is a file that must be
  // executable.
  const std::string seed = "UML_SEED=" + std::to_string(settings.seed + 1);
  std::array environment{"GLIBC_TUNABLES=glibc.pthread.rseq=0", "TMPDIR=/dev/shm", "HOME=/", seed.c_str(),
                         static_cast<const char*>(nullptr)};
  stay_on_one_processor();
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int console = open_said("console.log");
  ::dup2(nothing, 0);
  ::dup2(console, 1);
  ::dup2(console, 2);
  ::execve(kernel.c_str(), arguments.data(), const_cast<char**>(environment.data()));
  ::_exit(127);
}

}  // namespace

void run_in_virtual_time(const Settings& settings, const std::filesystem::path& kernel_path,
                         const std::filesystem::path& out) {
  const auto kernel = std::filesystem::absolute(kernel_path);
  if (::access(kernel.c_str(), X_OK) != 0) {
    throw unavailable(kernel.string() + ", the User-Mode Linux of uml/build.sh");
  }
  TemporaryDirectory directory(out);
  const auto root = make_root(settings, directory.path());
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    throw system_failure("starting User-Mode Linux");
  }
  if (child == 0) {
    end_with_parent(self);
    const rlimit limit{kGuestLimitS, kGuestLimitS};
    ::setrlimit(RLIMIT_CPU, &limit);
    boot(settings, kernel, directory.path());
  }
  const int status = wait_for(child);
  if (status == 0 && std::filesystem::exists(root / "out" / "counters.json")) {
    directory.keep_as_wanted(root / "out");
    return;
  }
  if (status == 128 + SIGKILL) {
    throw std::runtime_error("User-Mode Linux was stopped, at the latest after " +
                             std::to_string(kGuestLimitS) + " processor seconds");
  }
  const std::string line = last_line(directory.path() / "console.log");
  if (!std::filesystem::exists(root / "out" / "started")) {
    throw kit::Unavailable("User-Mode Linux did not start here: " + line);
  }
  throw std::runtime_error(line);
}

void run_as_guest() {
  const int status = status_of([] {
    std::ofstream("/out/started");
    if (::mount("proc", "/proc", "proc", 0, nullptr) != 0) {
      throw system_failure("mounting /proc");
    }
    if (::mount("dev", "/dev", "devtmpfs", 0, nullptr) != 0) {
      throw system_failure("mounting /dev");
    }
    run_experiment(nlohmann::json::parse(std::ifstream("/settings.json")).get<Settings>(), "/out");
  });
  if (status == EXIT_SUCCESS) {
    std::filesystem::remove("/out/started");
  }
  std::ofstream("/proc/exitcode") << status << std::flush;
  ::sync();
  ::reboot(RB_POWER_OFF);
  std::abort();
}

}  // namespace linux_engine
