#include "process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
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

}  // namespace

TemporaryDirectory::TemporaryDirectory(const std::filesystem::path& wanted) : wanted_(wanted) {
  if (std::filesystem::exists(wanted)) {
    throw std::runtime_error(wanted.string() + ": exists already");
  }
  // mkdtemp replaces the six X by a unique suffix.
  std::string name = wanted.string() + "." + std::string(6, 'X');
  if (::mkdtemp(name.data()) == nullptr) {
    throw system_failure(wanted.string());
  }
  path_ = std::filesystem::absolute(name);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryDirectory::keep_as_wanted(const std::filesystem::path& inner) {
  std::filesystem::permissions(inner, std::filesystem::perms(0755));
  std::filesystem::rename(inner, wanted_);
}

int wait_for(pid_t child) {
  child_to_end = child;
  std::signal(SIGINT, end_child);
  std::signal(SIGTERM, end_child);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_to_end = 0;
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
