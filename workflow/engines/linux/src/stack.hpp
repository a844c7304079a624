#pragma once

#include <string>
#include <vector>

#include "settings.hpp"

namespace linux_engine {

// How a host's kernel is set for a run. This is the one place where it is decided.
struct Stack {
  struct Sysctl {
    std::string name;  // below /proc/sys/net/ipv4
    std::string value;
  };
  std::vector<Sysctl> sysctls;
  std::string congestion_control;
  bool segmentation_offload = true;
};

// settings.stack: "2002"; "2002-abc", the same with today's counting of bytes, as any kernel can; or "today".
// All get the experiment's own window, SACK and time stamps.
Stack make_stack(const Settings& settings);

}  // namespace linux_engine
