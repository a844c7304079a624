#include "tcp/cubic.hpp"

#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<Cubic>(const Point&, std::uint64_t, const Progress&);

}  // namespace packetsim
