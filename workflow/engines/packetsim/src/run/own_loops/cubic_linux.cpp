#include "tcp/cubic_linux.hpp"

#include "queues/make_queue.hpp"
#include "run/simulate_dumbbell.hpp"
#include "tcp/rack_sender.hpp"

namespace packetsim {

template Measurements simulate_alike<ByTime<CubicLinux>>(const Point&, std::uint64_t, const Progress&);
template Measurements simulate_alike<ByTime<CubicLinux>, CodelQueue>(const Point&, std::uint64_t,
                                                                     const Progress&);
template Measurements simulate_alike<ByTime<CubicLinux>, FqCodelQueue>(const Point&, std::uint64_t,
                                                                       const Progress&);

}  // namespace packetsim
