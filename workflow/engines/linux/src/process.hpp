#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace linux_engine {

// A new directory whose name begins with `prefix`, gone at the end of the scope.
class TemporaryDirectory {
 public:
  // Throws std::runtime_error if there can be none.
  explicit TemporaryDirectory(const std::filesystem::path& prefix);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Waits for the end of a child that always computes: its exit status, or 128 and the signal that ended it.
// One that has taken no processor time for so many seconds is ended, and there is no status. Time in which
// the caller is stopped itself does not count. SIGINT and SIGTERM to the caller end the child first.
std::optional<int> wait_while_busy(pid_t child, int idle_seconds);

// Makes a file for what a child says, with room for it: that the disk is full must not keep it from being
// said. Returns its descriptor; negative: none.
int open_said(const std::filesystem::path& said);

// What a child wrote last, or that its kernel gave up.
std::string last_line(const std::filesystem::path& said);

// In a child: ends with its parent, whatever ends that.
void end_with_parent(pid_t parent);

}  // namespace linux_engine
