#include "kit/tests/lone_user.hpp"

#include "loops.hpp"

namespace packetsim {
namespace {

template <class Loop>
struct Lone {
  static constexpr bool kRecursion = std::is_same_v<Loop, InformedLoop>;

  static kit::local_loop::LoneRun run(const LoopSettings& settings, std::int64_t packets) {
    Loop loop(settings, 1);
    loop.run_until_sent(packets);
    const Measurements measured = loop.measurements();
    const Counters& counters = measured.counters;
    const LoopSums& sums = measured.loop->sums;
    return {.sent_s = measured.loop->sent.time_s,
            .sent = counters.packets_sent,
            .delivered = counters.packets_delivered,
            .lost = counters.packets_dropped,
            .in_flight = counters.packets_in_flight,
            .timeouts = sums.timeouts,
            .idle_restarts = sums.idle_restarts,
            .round_trips = sums.carried,
            .round_trip_s = sums.round_trip_s,
            .bursts = static_cast<std::int64_t>(measured.loop->bursts.size()),
            .on_time_s = sums.on_time_s,
            .user_on_s = sums.user_on_s,
            .downloads = measured.loop->bursts};
  }
};

}  // namespace
}  // namespace packetsim

namespace kit::local_loop {

using Loops = testing::Types<packetsim::Lone<packetsim::InformedLoop>, packetsim::Lone<packetsim::RenoLoop>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, LoneUser, Loops);

}  // namespace kit::local_loop
