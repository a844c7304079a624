// Pacing: the gaps between packets by the clock, and what becomes of the sender's timer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/tests/points.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "tcp/selective_sender.hpp"
#include "tcp/variants.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

constexpr Picoseconds kPacedRoundTrip = 100 * kMillisecond;

kit::Tcp paced_tcp(std::int32_t initial_window, bool pacing = true) {
  return {.variant = "cubic",
          .rwnd_packets = 1000,
          .initial_window_packets = initial_window,
          .min_rto_s = 1,
          .max_rto_s = 64,
          .pacing = pacing};
}

// A path of one round-trip time, which drops none but the transmissions it is told.
template <class Window>
class PacedPath {
 public:
  explicit PacedPath(const kit::Tcp& tcp, std::int32_t file, std::optional<std::int32_t> ssthresh = {})
      : sender(tcp), limits_(limits_of(tcp)) {
    limits_.ssthresh = ssthresh.value_or(limits_.ssthresh);
    sender.start(file, limits_, now, sending());
  }

  // The next event: of a timer and an acknowledgement at the same time the acknowledgement's.
  void step() {
    if (!under_way_.empty() && under_way_.front().back <= sender.deadline()) {
      const Sent packet = under_way_.front();
      under_way_.pop_front();
      now = packet.back;
      sender.on_ack(packet.number, limits_, now, sending(), [](Picoseconds) {});
    } else {
      now = sender.deadline();
      if (!sender.release(now, sending())) {
        ++timeouts;
        sender.on_timeout(limits_, now, sending());
      }
    }
  }

  void run_until(Picoseconds end) {
    while (!sender.done() && now < end) {
      step();
    }
  }

  // Between the packets sent in [from, to).
  std::vector<Picoseconds> gaps(Picoseconds from, Picoseconds to) const {
    std::vector<Picoseconds> result;
    for (std::size_t i = 1; i < sent.size(); ++i) {
      if (sent[i - 1] >= from && sent[i] < to) {
        result.push_back(sent[i] - sent[i - 1]);
      }
    }
    return result;
  }

  SelectiveSender<Window> sender;
  Picoseconds now = 0;
  std::vector<Picoseconds> sent;
  int timeouts = 0;

 private:
  struct Sent {
    std::int32_t number;
    Picoseconds back;
  };
  std::function<void(std::int32_t)> sending() {
    return [this](std::int32_t number) {
      sent.push_back(now);
      under_way_.push_back({number, now + kPacedRoundTrip});
    };
  }

  TcpLimits limits_;
  std::deque<Sent> under_way_;
};

// ip-sysctl: rate = ratio * cwnd / SRTT. Ten packets go at once, before there is a sample; the first
// acknowledgement makes the window 11, of which two are free, and they are 100 ms / (2 * 11) apart.
TEST(Pacing, InSlowStartIsAtTwiceTheWindowInARoundTrip) {
  PacedPath<RenoWindow> path(paced_tcp(10), 1000);
  EXPECT_EQ(path.sent, std::vector<Picoseconds>(10, 0));
  EXPECT_EQ(path.sender.deadline(), kSecond);
  path.step();
  EXPECT_EQ(path.sent.back(), kPacedRoundTrip);
  EXPECT_EQ(path.sender.deadline(), kPacedRoundTrip + 4'545'454'545);  // 100 ms / 22
  path.step();                                                         // the second acknowledgement
  EXPECT_EQ(path.sent.size(), 11U);
  EXPECT_EQ(path.sender.deadline(), kPacedRoundTrip + 4'545'454'545);  // what waits goes when it was to go
  while (path.now == kPacedRoundTrip) {
    path.step();
  }
  EXPECT_EQ(path.sent.back(), kPacedRoundTrip + 4'545'454'545);
  EXPECT_EQ(path.sender.deadline(),
            kPacedRoundTrip + 4'545'454'545 + 2'500'000'000);  // the window is 20 by now
  EXPECT_EQ(path.timeouts, 0);
}

// In congestion avoidance a window that does not move: 12 tenths of it in a round trip.
TEST(Pacing, OfACubicInCongestionAvoidanceIsToThePicosecond) {
  for (const std::int32_t window : {7, 60, 350}) {
    kit::Tcp tcp = paced_tcp(window);
    tcp.rwnd_packets = window;
    PacedPath<Cubic> path(tcp, 100'000, 2);
    path.run_until(3 * kSecond);
    ASSERT_EQ(path.sender.window().window(), window);
    const std::vector<Picoseconds> gaps = path.gaps(kSecond, 3 * kSecond);
    ASSERT_GT(gaps.size(), 100U);
    // The train of a window is 1 / 1.2 of a round trip long: what is left is the gap to the next one.
    const Picoseconds gap = (10 * kPacedRoundTrip + 6 * window) / (12 * window);
    const Picoseconds train = gap * (window - 1);
    for (const Picoseconds found : gaps) {
      ASSERT_TRUE(found == gap || found == kPacedRoundTrip - train) << window << ": " << found;
    }
    EXPECT_NEAR(static_cast<double>(std::ranges::count(gaps, gap)) / static_cast<double>(gaps.size()),
                (window - 1.0) / window, 2.0 / static_cast<double>(gaps.size()));
    EXPECT_EQ(path.timeouts, 0);
  }
}

TEST(Pacing, IsNotThereUnlessThePointSaysSo) {
  PacedPath<Cubic> path(paced_tcp(10, false), 10'000, 2);
  path.run_until(kSecond);
  EXPECT_GT(std::ranges::count(path.gaps(0, kSecond), 0), 80);
}

// The rate of a window that is paced by itself, at which a packet is sent only every two seconds.
class SlowWindow : public WindowDefaults {
 public:
  static constexpr bool kPaces = true;
  explicit SlowWindow(const kit::Tcp&) {}
  static void start(std::int32_t, std::int32_t) {}
  static std::int32_t window() { return 10; }
  static std::int32_t ssthresh() { return 10; }
  static Picoseconds pacing_gap() { return 2 * kSecond; }
  static void on_ack(const WindowEvent&) {}
  static void on_loss(const WindowEvent&) {}
  static void on_mark(const WindowEvent&) {}
  static void on_recovered(std::int32_t, std::int32_t) {}
  static void on_timeout(const WindowEvent&) {}
  static void limit(std::int32_t) {}
};

// While nothing is outstanding the retransmission timer is off (RFC 6298, section 5, rule 5.2).
TEST(Pacing, DoesNotTimeOutWhileAPacketWaitsAndNoneIsOutstanding) {
  PacedPath<SlowWindow> path(paced_tcp(10), 4);
  path.run_until(100 * kSecond);
  EXPECT_EQ(path.sent, (std::vector<Picoseconds>{0, 2 * kSecond, 4 * kSecond, 6 * kSecond}));
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_EQ(path.now, 6 * kSecond + kPacedRoundTrip);
}

// With probes events are handled one by one, without in windows of time: packets that a timer sets free, at
// whatever instant of a window, reach the bottleneck in the same order.
TEST(Pacing, IsTheSameEventByEventAndInWindows) {
  for (const char* variant : {"newreno-sack", "cubic", "dctcp", "bbr"}) {
    Point point = table_6_point(134, 60);
    point.groups[0].tcp.variant = variant;
    if (point.groups[0].tcp.variant != "bbr") {
      point.groups[0].tcp.pacing = true;
    }
    point.groups[0].tcp.initial_window_packets = 10;
    point.groups[0].workload.file_size.mean_packets = 40;
    point.stop = {.duration_s = 50};
    const Counters in_windows = simulate(point, 3).counters;
    point.probes.loss_recovery = true;
    const Counters in_order = simulate(point, 3).counters;
    EXPECT_EQ(in_windows.packets_sent, in_order.packets_sent) << variant;
    EXPECT_EQ(in_windows.packets_dropped, in_order.packets_dropped) << variant;
    EXPECT_EQ(in_windows.connections_completed, in_order.connections_completed) << variant;
    EXPECT_GT(in_windows.packets_dropped, 1000) << variant;
  }
}

}  // namespace
}  // namespace packetsim
