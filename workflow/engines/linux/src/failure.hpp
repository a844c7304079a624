#pragma once

#include <sysexits.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kit/main/engine_main.hpp"

namespace linux_engine {

// The emulator handed packets over too late to measure anything but the processor's load.
class TooLate : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "what: reason", the reason being that of the system call that has just failed.
inline std::string because(const std::string& what) { return what + ": " + std::strerror(errno); }

inline std::runtime_error system_failure(const std::string& what) {
  return std::runtime_error(because(what));
}

// The same where it tells that this machine cannot do it.
inline kit::Unavailable unavailable(const std::string& what) { return kit::Unavailable(because(what)); }

// Runs `work` in a process of its own; returns its exit status. What goes wrong is one line on standard
// error.
template <typename Work>
int status_of(const Work& work) {
  const auto report = [](const std::exception& error, int status) {
    std::fprintf(stderr, "%s\n", error.what());
    return status;
  };
  try {
    work();
  } catch (const kit::Unavailable& error) {
    return report(error, EX_UNAVAILABLE);
  } catch (const TooLate& error) {
    return report(error, EX_TEMPFAIL);
  } catch (const std::exception& error) {
    return report(error, EXIT_FAILURE);
  }
  return EXIT_SUCCESS;
}

// Throws what that process caught.
[[noreturn]] inline void throw_failure(int status, const std::string& line) {
  switch (status) {
    case EX_UNAVAILABLE:
      throw kit::Unavailable(line);
    case EX_TEMPFAIL:
      throw TooLate(line);
    default:
      throw std::runtime_error(line);
  }
}

}  // namespace linux_engine
