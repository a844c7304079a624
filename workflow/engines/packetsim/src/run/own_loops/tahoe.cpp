#include "tcp/tahoe.hpp"

#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<Tahoe>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<Tahoe, DropTailQueue, ProbeSet>(const Point&, std::uint64_t,
                                                                     const Progress&);

}  // namespace packetsim
