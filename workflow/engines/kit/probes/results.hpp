// The results of probes: metrics, distributions and traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kit {

struct Metric {
  std::string name;
  std::string unit;
  double value;
};

struct Distribution {
  std::string name;
  std::string unit;
  std::vector<std::int64_t> counts;  // of 0, 1, 2, ... of the unit
};

struct Trace {
  std::string name;
  std::string unit;
  std::vector<double> time_s;  // since the warm-up, never falling
  std::vector<double> value;
};

class ProbeResults {
 public:
  // A metric over nothing (no timeout in the whole run, say) has no value and is left out.
  void ratio(const std::string& name, const std::string& unit, double part, double whole) {
    if (whole > 0) {
      metrics.push_back({name, unit, part / whole});
    }
  }

  std::vector<Metric> metrics;
  std::vector<Distribution> distributions;
  std::vector<Trace> traces;
};

// Adds one to the count of `value`; the last cell takes what lies beyond it.
inline void count_capped(std::vector<std::int64_t>& counts, std::int32_t value) {
  const auto cell = static_cast<std::size_t>(value);
  ++counts[cell < counts.size() ? cell : counts.size() - 1];
}

}  // namespace kit
