#include "process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <fstream>

#include "failure.hpp"

namespace linux_engine {
namespace {

// A handler can reach nothing else.
volatile pid_t child_to_end = 0;

void end_child(int) {
  if (child_to_end > 0) {
    ::kill(child_to_end, SIGKILL);
  }
}

// While it lives, a system call that waits is interrupted each second.
class Seconds {
 public:
  Seconds() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGALRM, &action, &before_);
    ring({1, 0});
  }
  ~Seconds() {
    ring({0, 0});
    ::sigaction(SIGALRM, &before_, nullptr);
  }
  Seconds(const Seconds&) = delete;
  Seconds& operator=(const Seconds&) = delete;

 private:
  static void ring(timeval every) {
    const itimerval timer{.it_interval = every, .it_value = every};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }

  struct sigaction before_ {};
};

// Nanoseconds that a process has taken so far.
std::int64_t processor_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) {
    return -1;
  }
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

}  // namespace

TemporaryDirectory::TemporaryDirectory(const std::filesystem::path& prefix) {
  // mkdtemp replaces the six X by a unique suffix.
  std::string name = prefix.string() + "." + std::string(6, 'X');
  if (::mkdtemp(name.data()) == nullptr) {
    throw system_failure(prefix.string());
  }
  path_ = std::filesystem::absolute(name);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::optional<int> wait_while_busy(pid_t child, int idle_seconds) {
  child_to_end = child;
  std::signal(SIGINT, end_child);
  std::signal(SIGTERM, end_child);
  const Seconds seconds;
  int status = 0, idle = 0;
  std::int64_t used = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    const std::int64_t now = processor_time(child);
    idle = now == used ? idle + 1 : 0;
    used = now;
    if (idle == idle_seconds) {
      ::kill(child, SIGKILL);
    }
  }
  child_to_end = 0;
  if (idle >= idle_seconds) {
    return std::nullopt;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int open_said(const std::filesystem::path& said) {
  const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1 << 14);
  return file;
}

std::string last_line(const std::filesystem::path& said) {
  std::ifstream file(said);
  std::string line, last;
  while (std::getline(file, line)) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
      line.pop_back();
    }
    if (line.starts_with("Kernel panic")) {
      return line;  // addresses of the kernel's follow
    }
    if (!line.empty() && !line.starts_with("reboot:")) {
      last = line;
    }
  }
  return last.empty() ? "it said nothing" : last;
}

void end_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);
  }
}

}  // namespace linux_engine
