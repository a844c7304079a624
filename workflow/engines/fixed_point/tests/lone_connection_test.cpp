#include <gtest/gtest.h>

#include "kit/tests/lone_user.hpp"
#include "loop_settings.hpp"
#include "simulation.hpp"

namespace fixed_point {
namespace {

constexpr Picoseconds kMillisecond = 1'000'000'000;
constexpr Picoseconds kSecond = 1000 * kMillisecond;

struct Lone {
  static constexpr bool kRecursion = true;

  static kit::local_loop::LoneRun run(const kit::local_loop::Settings& loop, std::int64_t packets) {
    std::vector<double> sent_s;
    Simulation simulation(with_references(1, loop), 1,
                          {.sent = [&](std::size_t, std::int64_t number, Picoseconds time) {
                            sent_s.push_back(seconds(time));
                            EXPECT_EQ(number, static_cast<std::int64_t>(sent_s.size()));
                          }});
    simulation.run_packets(packets);
    const Measured measured = simulation.measured();
    const PacketCounts& counts = measured.packets;
    const Population& user = measured.references;
    EXPECT_EQ(user.losses, 0);  // nobody else is at the shared router
    return {.sent_s = sent_s,
            .sent = counts.sent,
            .delivered = counts.delivered,
            .lost = counts.lost,
            .in_flight = simulation.in_flight(),
            .timeouts = counts.timeouts,
            .idle_restarts = counts.idle_restarts,
            .round_trips = counts.round_trips,
            .round_trip_s = counts.round_trip_s,
            .bursts = user.bursts,
            .on_time_s = user.on_s,
            .user_on_s = user.user_on_s,
            .downloads = measured.bursts};
  }
};

TEST(Rto, CountsInTicksAndNeverBelowTwo) {
  const RtoLimits limits{.tick = kSecond / 2, .min = kSecond};
  Rto rto;
  EXPECT_EQ(rto.value(limits), 3 * kSecond);
  rto.sample(100 * kMillisecond);  // 100 + 4 * 50 ms
  EXPECT_EQ(rto.value(limits), kSecond);
  rto.back_off();
  EXPECT_EQ(rto.value(limits), 2 * kSecond);
  rto.sample(900 * kMillisecond);  // srtt 200, variation 50 + 750 / 4 = 237.5: 1150 ms
  EXPECT_EQ(rto.value(limits), 3 * kSecond / 2);
}

}  // namespace
}  // namespace fixed_point

namespace kit::local_loop {

INSTANTIATE_TYPED_TEST_SUITE_P(FixedPoint, LoneUser, fixed_point::Lone);

}  // namespace kit::local_loop
