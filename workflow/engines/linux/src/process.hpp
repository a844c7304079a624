#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace linux_engine {

// A directory beside `wanted`, gone at the end of the scope unless keep_as() has given it that name.
class TemporaryDirectory {
 public:
  // Throws std::runtime_error if `wanted` exists or no directory can be made beside it.
  explicit TemporaryDirectory(const std::filesystem::path& wanted);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Gives `inner`, this directory or one in it, the wanted name.
  void keep_as_wanted(const std::filesystem::path& inner);

 private:
  std::filesystem::path wanted_, path_;
};

// Waits for the child's end: its exit status, or 128 and the signal that ended it. SIGINT and SIGTERM to the
// caller end the child first.
int wait_for(pid_t child);

// The same of a child that always computes: one that has taken no processor time for so many seconds is
// ended, and there is no status. Time in which the caller is stopped itself does not count.
std::optional<int> wait_while_busy(pid_t child, int idle_seconds);

// Makes a file for what a child says, with room for it: that the disk is full must not keep it from being
// said. Returns its descriptor; negative: none.
int open_said(const std::filesystem::path& said);

// What a child wrote last, or that its kernel gave up.
std::string last_line(const std::filesystem::path& said);

// In a child: ends with its parent, whatever ends that.
void end_with_parent(pid_t parent);

}  // namespace linux_engine
