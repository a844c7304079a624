// What the cycles of a lone connection come to: the metrics beside those that every run gives.
#pragma once

#include <cstdint>
#include <vector>

#include "kit/probes/compound_cycles.hpp"
#include "kit/probes/results.hpp"

namespace packetsim {

// Means over the cycles, which took `duration_s` together, and the commonest case and type of oscillation; of
// the latter the medians of the highest and lowest windows. What did not happen is left out. `path_packets`:
// see CompoundCycle.
void report_compound_cycles(const std::vector<CompoundCycle>& cycles, double duration_s,
                            std::int32_t path_packets, ProbeResults& results);

}  // namespace packetsim
