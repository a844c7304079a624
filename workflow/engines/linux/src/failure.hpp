#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace linux_engine {

// "what: reason", the reason being that of the system call that has just failed.
inline std::runtime_error system_failure(const std::string& what) {
  return std::runtime_error(what + ": " + std::strerror(errno));
}

}  // namespace linux_engine
