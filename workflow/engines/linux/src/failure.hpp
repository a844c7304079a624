#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace seawind {

// Exit statuses of the program.
enum class Status : int { done = 0, failed = 1, unavailable = 3, too_late = 4 };

// Ends a run with one line for the user; empty: it has been written.
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

// Runs `work` and writes to standard error in one line what went wrong, if anything did.
template <typename Work>
Status status_of(const Work& work) {
  const auto report = [](const std::exception& error) {
    if (*error.what() != '\0') std::fprintf(stderr, "seawind: %s\n", error.what());
  };
  try {
    work();
  } catch (const Failure& failure) {
    report(failure);
    return failure.status();
  } catch (const std::exception& error) {
    report(error);
    return Status::failed;
  }
  return Status::done;
}

}  // namespace seawind
