#include "tcp/reno_window.hpp"

#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<RenoWindow>(const Point&, std::uint64_t, const Progress&);

}  // namespace packetsim
