#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace seawind {

// Exit statuses of the program.
enum class Status : int { done = 0, failed = 1, unavailable = 3, too_late = 4 };

// Ends a run with one line for the user; empty: a child process has written it.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& line, Status status = Status::failed)
      : std::runtime_error(line), status_(status) {}
  Status status() const { return status_; }
  // Writes the line to standard error.
  void report(const char* where) const {
    if (*what() != '\0') std::fprintf(stderr, "seawind: %s%s\n", where, what());
  }

 private:
  Status status_;
};

// "what: reason", the reason being that of the system call that has just failed.
inline Failure system_failure(const std::string& what, Status status = Status::failed) {
  return Failure(what + ": " + std::strerror(errno), status);
}

}  // namespace seawind
