#include "tcp/cubic.hpp"

#include "queues/make_queue.hpp"
#include "run/simulate_dumbbell.hpp"

namespace packetsim {

template Measurements simulate_alike<Cubic>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<Cubic, CodelQueue>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<Cubic, FqCodelQueue>(const Point&, std::uint64_t, const Progress&);

}  // namespace packetsim
