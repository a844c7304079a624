#include "tcp/newreno.hpp"

#include "queues/fair_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<NewReno>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<NewReno, FairQueue>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<NewReno, DropTailQueue, ProbeSet>(const Point&, std::uint64_t,
                                                                       const Progress&);

}  // namespace packetsim
