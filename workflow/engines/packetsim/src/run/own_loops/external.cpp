// A browser runs no shared object.
#ifndef __wasm__

#include "tcp/external.hpp"

#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<External<false>>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<External<true>>(const Point&, std::uint64_t, const Progress&);

}  // namespace packetsim

#endif
