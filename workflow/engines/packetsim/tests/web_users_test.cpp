// Web users of a dumbbell, whose connections live on: alone against times worked by hand, to the picosecond,
// and many against Little's law. In a local loop of the same stations they
// send the same packets: see local_loop_point_test.cpp.

#include <gtest/gtest.h>

#include <cstdint>

#include "kit/tests/closed_forms.hpp"
#include "run/simulate.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

using EndsAt = Workload::EndsAt;

// Files of three packets, pauses of one length; those of more than ten seconds end in slow start.
Point web_user(double pause_s, EndsAt ends_at) {
  Point point = isolated_point(table_6_point(1, 1000), 3);
  point.groups[0].tcp.initial_window_packets = 1;
  point.groups[0].tcp.idle_restart_s = 10;
  point.groups[0].workload.kind = Workload::Kind::kHttp;
  point.groups[0].workload.off_time = {.mean_s = pause_s};
  point.groups[0].workload.first_think = Workload::FirstThink::kWhole;
  point.groups[0].workload.ends_at = ends_at;
  return point;
}

// A simulation by the variant of the test's parameter until so many files are completed.
class WebUser : public testing::TestWithParam<const char*> {
 protected:
  static Measurements after(std::int64_t files, Point point, std::uint64_t seed) {
    point.groups[0].tcp.variant = GetParam();
    point.stop = {.connections = files};
    return simulate(point, seed);
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, WebUser,
                         testing::Values("newreno", "reno", "tahoe", "newreno-sack", "cubic"));

// One packet alone, two after its acknowledgement; after a shorter pause all three at once.
TEST_P(WebUser, KeepsTheWindowOverAPauseUnlessItIsLong) {
  for (const double pause_s : {9.0, 11.0}) {
    for (const EndsAt ends_at : {EndsAt::kSource, EndsAt::kDestination}) {
      const Point point = web_user(pause_s, ends_at);
      const auto [rtt, slowest] = path_of(point);
      const Picoseconds back = ends_at == EndsAt::kSource ? 0 : picoseconds(point.return_delay_s);
      const Picoseconds slow = 2 * rtt + slowest - back;
      const Picoseconds fast = rtt + 2 * slowest - back;
      Picoseconds end = 0;
      Picoseconds duration = 0;
      for (int file = 1; file <= 5; ++file) {
        const Picoseconds time = file == 1 || pause_s > 10 ? slow : fast;
        end += picoseconds(pause_s) + time;
        duration += time;
        const Measurements measured = after(file, point, 1);
        EXPECT_EQ(measured.end, end) << file;
        EXPECT_EQ(measured.connections.duration, duration) << file;
        EXPECT_EQ(measured.connections.packets, 3 * file);
        EXPECT_EQ(measured.counters.packets_sent, 3 * file);
      }
    }
  }
}

// Pauses shorter than the way back: the next file follows while acknowledgements of the last are still to
// come. The window is one packet at first, and grows by one for each of them.
TEST_P(WebUser, GoesOnBeforeTheLastFileIsAcknowledged) {
  const Point point = web_user(0.001, EndsAt::kDestination);
  const auto [rtt, slowest] = path_of(point);
  const Picoseconds back = picoseconds(point.return_delay_s);
  EXPECT_EQ(after(1, point, 1).end, picoseconds(0.001) + 2 * rtt + slowest - back);
  // Two are under way; the first one's acknowledgement makes the window three and lets two go, the second
  // one's follows a packet's time later and lets the third go, which is the third to leave the slowest link,
  // the last.
  const Picoseconds two_acknowledged = picoseconds(0.001) + 2 * rtt;
  EXPECT_EQ(after(2, point, 1).end, two_acknowledged + rtt + 2 * slowest - back);
}

// Drops, timeouts and long pauses of 120 users behind a short buffer.
Point web_users(EndsAt ends_at) {
  Point point = table_6_point(120, 20);
  SourceGroup& group = point.groups[0];
  group.tcp.idle_restart_s = 2;
  group.workload = {
      .kind = Workload::Kind::kHttp,
      .file_size = {.distribution = FileSize::Distribution::kLognormal,
                    .mean_packets = 12,
                    .standard_deviation_packets = 20},
      .off_time = {.distribution = OffTime::Distribution::kLognormal, .mean_s = 1, .standard_deviation_s = 1},
      .ends_at = ends_at};
  point.dumbbell().bottleneck.loss_probability = 0.005;
  return point;
}

// The time integral of the number of users who are on is the sum of their files' times, less the packet's way
// to the bottleneck, where they count from. At the end 120 may be under way, of some 15,000.
TEST_P(WebUser, FollowsLittlesLaw) {
  for (const EndsAt ends_at : {EndsAt::kSource, EndsAt::kDestination}) {
    const Measurements measured = after(15'000, web_users(ends_at), 2);
    double integral = 0;
    for (std::size_t active = 0; active < measured.active_time_at.size(); ++active) {
      integral += static_cast<double>(active) * seconds(measured.active_time_at[active]);
    }
    const double expected = seconds(measured.connections.duration) - 15'000 * 1500 * 8 / 100e6;
    EXPECT_NEAR(integral / expected, 1, 120.0 / 15'000 * 2);
  }
}

}  // namespace
}  // namespace packetsim
