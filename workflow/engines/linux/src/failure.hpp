#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace seawind {

// Exit statuses of the program.
enum class Status : int { done = 0, failed = 1, unavailable = 3, too_late = 4 };

// Ends a run with one line for the user.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& line, Status status = Status::failed)
      : std::runtime_error(line), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

// "what: reason", the reason being that of the system call that has just failed.
inline Failure system_failure(const std::string& what, Status status = Status::failed) {
  return Failure(what + ": " + std::strerror(errno), status);
}

}  // namespace seawind
