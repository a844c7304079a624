#include "tcp/bbr.hpp"

#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<Bbr>(const Point&, std::uint64_t, const Progress&);

}  // namespace packetsim
