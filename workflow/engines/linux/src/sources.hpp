// The device of the guest's kernel that sends and receives (uml/sources.c), and the bottleneck's counters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dumbbell_network.hpp"
#include "file_descriptor.hpp"
#include "kit/point/point.hpp"
#include "units.hpp"

namespace linux_engine {

// The bottleneck since the beginning.
struct LinkState {
  link_counters counters = {};
  std::vector<std::uint64_t> time_at, arrivals_at;
};

class Sources {
 public:
  // All functions throw std::runtime_error.
  Sources(const kit::Point& point, const DumbbellNetwork& network);

  // Begins transfers, and waits until some have ended, or until a time.
  std::span<const sources_completion> exchange(std::span<const sources_transfer> transfers,
                                               Nanoseconds until);

  std::span<const sources_state> states();
  void vary_delay(std::span<const std::uint64_t> delays, Nanoseconds late) const;
  LinkState link() const;
  link_counters way_back() const;  // of a point that has a queue there
  std::vector<link_log_record> log() const;

 private:
  void read(std::uint32_t which, LinkState& state) const;
  void call(unsigned long operation, void* argument, const char* what) const;

  FileDescriptor device_;
  std::uint32_t levels_;
  std::vector<sources_completion> completions_;
  std::vector<sources_state> states_;
};

}  // namespace linux_engine
