#include "user_mode_linux.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "failure.hpp"
#include "process.hpp"
#include "simulate.hpp"

namespace linux_engine {
namespace {

namespace fs = std::filesystem;

// Processor seconds after which a guest is taken to be stuck: in virtual time it would never end by itself.
constexpr rlim_t kGuestLimitS = 3'600;
// Seconds without any processor time after which it is taken to hang: it never sleeps.
constexpr int kIdleLimitS = 30;

// The guest's own root: this program, the task, places to mount /proc and /dev, and where the run goes.
fs::path make_root(const kit::Json& task, const fs::path& directory) {
  const auto root = directory / "root";
  for (const char* name : {"proc", "dev", "out"}) {
    fs::create_directories(root / name);
  }
  fs::copy_file("/proc/self/exe", root / "init");
  kit::write_atomically(task, root / "task.json");
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

// Where the guest's memory is kept: in a file, which must be executable. In a container /dev/shm often is
// small, and its files are not.
const char* memory_directory() {
  constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 30;
  struct statvfs shared {};
  const bool fits = ::statvfs("/dev/shm", &shared) == 0 && (shared.f_flag & ST_NOEXEC) == 0 &&
                    shared.f_bavail * shared.f_frsize >= kMemoryBytes;
  return fits ? "TMPDIR=/dev/shm" : "TMPDIR=/tmp";
}

[[noreturn]] void boot(std::uint64_t seed, const fs::path& kernel, const fs::path& directory) {
  fs::current_path(directory);
  // The command line feeds the kernel's random numbers: no path of this run may appear in it, nor its
  // memory's size vary. Only what is touched is taken. The clock begins at 10^9 s after the epoch, in 2001.
  std::vector<std::string> words{"linux",
                                 "mem=1024M",
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

  // Restartable sequences of the C library crash under User-Mode Linux.
  const std::string seeded = "UML_SEED=" + std::to_string(seed + 1);
  std::array environment{"GLIBC_TUNABLES=glibc.pthread.rseq=0", memory_directory(), "HOME=/", seeded.c_str(),
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

kit::Json run_in_guest(const kit::Json& point, std::uint64_t seed, const fs::path& kernel) {
  const TemporaryDirectory directory(fs::temp_directory_path() /
                                     ("tcp-atlas-linux-" + std::to_string(::getpid())));
  const auto root = make_root({{"point", point}, {"seed", seed}}, directory.path());
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    throw system_failure("starting User-Mode Linux");
  }
  if (child == 0) {
    end_with_parent(self);
    rlimit limit{};
    ::getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, kGuestLimitS);
    ::setrlimit(RLIMIT_CPU, &limit);
    boot(seed, kernel, directory.path());
  }
  const std::optional<int> ended = wait_while_busy(child, kIdleLimitS);
  if (!ended) {
    throw std::runtime_error("User-Mode Linux was ended, as it had done nothing for " +
                             std::to_string(kIdleLimitS) + " seconds");
  }
  const int status = *ended;
  const fs::path run = root / "out" / "run.json";
  if (status == 0 && fs::exists(run)) {
    if (const char* logs = std::getenv("TCP_ATLAS_LOGS")) {
      fs::copy(root / "out", logs, fs::copy_options::recursive);
    }
    return kit::read_json(run);
  }
  if (status == 128 + SIGKILL) {
    throw std::runtime_error("User-Mode Linux was stopped, at the latest after " +
                             std::to_string(kGuestLimitS) + " processor seconds");
  }
  const std::string line = last_line(directory.path() / "console.log");
  if (!fs::exists(root / "out" / "started")) {
    throw std::runtime_error("User-Mode Linux did not start here: " + line);
  }
  if (line.starts_with("Kernel panic") && line.ends_with("memory")) {
    throw std::runtime_error(
        "the guest's memory, 1 GB, is too small for the point: fewer sources, smaller windows or a smaller "
        "buffer would fit");
  }
  throw std::runtime_error(line);
}

void run_as_guest(const kit::Engine& engine) {
  int status = EXIT_FAILURE;
  try {
    std::ofstream("/out/started").flush();
    if (::mount("proc", "/proc", "proc", 0, nullptr) != 0) {
      throw system_failure("mounting /proc");
    }
    if (::mount("dev", "/dev", "devtmpfs", 0, nullptr) != 0) {
      throw system_failure("mounting /dev");
    }
    const kit::Json task = kit::read_json("/task.json");
    const kit::Point point = kit::parse_point(task.at("point"), "the point");
    const auto seed = task.at("seed").get<std::uint64_t>();
    kit::write_atomically(kit::run_json(point, seed, simulate(point, seed, "/out/sender.pcap"), engine),
                          "/out/run.json");
    status = EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::ofstream("/proc/exitcode") << status << std::flush;
  ::sync();
  ::reboot(RB_POWER_OFF);
  std::abort();
}

}  // namespace linux_engine
