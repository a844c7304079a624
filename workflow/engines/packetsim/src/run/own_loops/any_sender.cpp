#include "run/simulate_dumbbell.hpp"
#include "tcp/variants.hpp"

namespace packetsim {

template Measurements simulate_alike<Variants::AnySender>(const Point&, std::uint64_t, const Progress&);

}  // namespace packetsim
