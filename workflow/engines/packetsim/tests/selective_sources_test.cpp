// Sources with selective acknowledgements on a dumbbell against closed forms; the bytes of many are in
// bytes/.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kit/tests/closed_forms.hpp"
#include "kit/tests/compound_points.hpp"
#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/selective_sender.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

using Detection = kit::LossDetection;

struct Selective {
  const char* variant;
  std::optional<Detection> loss_detection = std::nullopt;
  bool linux_integers = true;
};

class LoneSelectiveSource : public testing::TestWithParam<Selective> {};
INSTANTIATE_TEST_SUITE_P(Windows, LoneSelectiveSource,
                         testing::Values(Selective{"newreno-sack"},
                                         Selective{"newreno-sack", Detection::kRackTlp}, Selective{"cubic"},
                                         Selective{"compound", std::nullopt, false}, Selective{"compound"}));

// Without losses there is nothing to tell by selective acknowledgements, and slow start never ends.
TEST_P(LoneSelectiveSource, TakesTheClosedFormsTime) {
  for (const std::int32_t rwnd : {1, 2, 3, 8, 20, 44}) {
    for (std::int32_t file = 3; file <= 200; file += 1 + file / 20) {
      Point point = isolated_point(table_6_point(1, 1000), file);
      point.groups[0].tcp.rwnd_packets = rwnd;
      point.groups[0].tcp.min_rto_s = point.groups[0].tcp.max_rto_s = 1000;
      point.groups[0].tcp.variant = GetParam().variant;
      point.groups[0].tcp.loss_detection = GetParam().loss_detection;
      point.groups[0].tcp.own = kit::authors_parameters();
      kit::compound_of(point).linux_integers = GetParam().linux_integers;
      point.stop = {.connections = 1};
      ASSERT_EQ(static_cast<Picoseconds>(simulate(point, 1).connections.duration),
                on_time(file, rwnd, path_of(point)))
          << "file " << file << ", rwnd " << rwnd;
    }
  }
}

// Ten packets leave at once for a bottleneck that holds nine: the tenth is dropped. The ninth is acknowledged
// after the path's round trip, which is SRTT, and eight transmissions. By RFC 8985 a probe follows two round
// trips later, by RFC 6675 a timeout, and the packet takes a round trip.
TEST(SelectiveSource, RepairsALostLastPacketAtTheClosedFormsTime) {
  Point point = isolated_point(table_6_point(1, 9), 10);
  point.groups[0].access.rate_bit_per_s = 100e6;
  point.dumbbell().bottleneck.rate_bit_per_s = 1e6;
  point.groups[0].tcp.rwnd_packets = point.groups[0].tcp.initial_window_packets = 10;
  point.groups[0].tcp.min_rto_s = 1;
  point.stop = {.connections = 1};
  const Path path = path_of(point);
  for (const char* variant : {"newreno-sack", "cubic"}) {
    point.groups[0].tcp.variant = variant;
    for (const auto detection : {Detection::kRfc6675, Detection::kRackTlp}) {
      point.groups[0].tcp.loss_detection = detection;
      const Picoseconds wait =
          detection == Detection::kRackTlp ? 2 * path.rtt : std::max(picoseconds(1), 3 * path.rtt);
      const Measurements measured = simulate(point, 1);
      EXPECT_EQ(measured.counters.packets_dropped, 1);
      EXPECT_EQ(static_cast<Picoseconds>(measured.connections.duration),
                path.rtt + 8 * path.slowest + wait + path.rtt);
    }
  }
}

// Many losses in a window are repaired in a round trip: a selective source has fewer timeouts than NewReno's
// own.
TEST(SelectiveSource, RecoversManyLossesWithoutTimeouts) {
  struct Timeouts : NoObserver {
    int count = 0;
    void timed_out(std::int32_t, const TimeoutState&, Picoseconds) { ++count; }
  };
  const auto timeouts = [](auto variant) {
    Point point = table_6_point(20, 12);
    point.groups[0].workload = {
        .kind = Workload::Kind::kBulk, .file_size = {.mean_packets = INT32_MAX - 1}, .start_spread_s = 0.1};
    point.dumbbell().bottleneck.loss_probability = 0.02;
    Dumbbell<decltype(variant), Timeouts> dumbbell(point, 2);
    dumbbell.run_until(picoseconds(100));
    return dumbbell.observer().count;
  };
  EXPECT_LT(timeouts(RenoWindow()), timeouts(NewReno()));
}

// The timer is shorter than the round trip: copies of both packets of a file follow the originals. The second
// original waits for the next acknowledgement, which is for a copy. The file ends with that one, and with no
// other.
TEST(SelectiveSource, EndsAFileOnce) {
  const kit::Tcp tcp{.rwnd_packets = 10, .initial_window_packets = 2, .min_rto_s = 0.03, .max_rto_s = 60};
  SelectiveSender<RenoWindow> sender(tcp);
  const TcpLimits limits = limits_of(tcp);
  std::vector<std::int32_t> sent;
  const auto send = [&](std::int32_t number) { sent.push_back(number); };
  const auto acknowledged = [&](std::int32_t number) {
    return sender.on_ack(number, limits, picoseconds(0.05), send, [](Picoseconds) {});
  };
  for (int file = 0; file < 2; ++file) {
    sent.clear();
    sender.start(2, limits, 0, send);
    sender.on_timeout(limits, picoseconds(0.03), send);
    EXPECT_FALSE(acknowledged(sent[0]));
    ASSERT_EQ(sent.size(), 4U);
    sender.on_delayed_ack(sent[1]);
    EXPECT_TRUE(acknowledged(sent[2]));
    EXPECT_FALSE(acknowledged(sent[3]));
  }
}

}  // namespace
}  // namespace packetsim
