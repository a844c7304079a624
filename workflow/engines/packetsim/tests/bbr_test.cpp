// BBR against the path that it measures, and against the rules of
// draft-cardwell-iccrg-bbr-congestion-control-00.

#include "tcp/bbr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "kit/point/point.hpp"
#include "tcp/selective_sender.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

using BbrState = Bbr::State;

struct BbrSample {
  Picoseconds at;
  BbrState state;
  double gain;
  std::int32_t window;
};

// A bottleneck with a FIFO queue and a delay behind it.
class BbrPath {
 public:
  BbrPath(Picoseconds service_time, Picoseconds delay, std::uint64_t seed = 1,
          std::int32_t buffer = 1'000'000)
      : service_time_(service_time), delay_(delay), buffer_(buffer), sender(tcp()) {
    sender.seed(seed, 0);
    sender.start(2'000'000'000, limits_of(tcp()), now, sending());
  }

  static kit::Tcp tcp() {
    return {.variant = "bbr",
            .rwnd_packets = 100'000,
            .initial_window_packets = 10,
            .min_rto_s = 1,
            .max_rto_s = 64};
  }

  void step() {
    if (!under_way_.empty() && under_way_.front().back <= sender.deadline()) {
      const Packet packet = under_way_.front();
      under_way_.pop_front();
      now = packet.back;
      ++delivered;
      sender.on_ack(packet.number, limits_of(tcp()), now, sending(), [](Picoseconds) {});
      in_flight_ = static_cast<std::int32_t>(under_way_.size());
    } else {
      now = sender.deadline();
      if (!sender.release(now, sending())) {
        ++timeouts;
        sender.on_timeout(limits_of(tcp()), now, sending());
      }
    }
    const Bbr& bbr = sender.window();
    if (trace.empty() || trace.back().state != bbr.state() || trace.back().gain != bbr.pacing_gain() ||
        trace.back().window != bbr.window()) {
      trace.push_back({now, bbr.state(), bbr.pacing_gain(), bbr.window()});
    }
  }

  template <class Until>
  void run(Until until) {
    while (!until()) {
      step();
    }
  }
  void run_until(Picoseconds end) {
    run([&] { return now >= end; });
  }
  void run_to(BbrState state) {
    run([&] { return sender.window().state() == state; });
  }

  std::int32_t in_flight() const { return static_cast<std::int32_t>(under_way_.size()); }
  // Packets that wait for the bottleneck or are being sent by it.
  double queue() const {
    return static_cast<double>(std::max<Picoseconds>(free_ - now, 0)) / static_cast<double>(service_time_);
  }

 private:
  struct Packet {
    std::int32_t number;
    Picoseconds back;
  };
  std::function<void(std::int32_t)> sending() {
    return [this](std::int32_t number) {
      sent.push_back(now);
      if (queue() > buffer_ - 1) {
        ++dropped;
        return;
      }
      free_ = std::max(free_, now) + service_time_;
      if (drop.contains(static_cast<std::int64_t>(sent.size()))) {
        ++dropped;
        return;
      }
      under_way_.push_back({number, free_ + delay_});
    };
  }

  Picoseconds service_time_;
  Picoseconds delay_;
  std::int32_t buffer_;
  Picoseconds free_ = 0;
  std::int32_t in_flight_ = 0;
  std::deque<Packet> under_way_;

 public:
  SelectiveSender<Bbr> sender;
  Picoseconds now = 0;
  std::int64_t delivered = 0;
  std::int64_t dropped = 0;
  std::set<std::int64_t> drop;  // transmissions, from 1, behind the bottleneck
  std::vector<Picoseconds> sent;
  std::vector<BbrSample> trace;
  int timeouts = 0;
};

// 100 packets in a round trip, 50 ms: 0.5 ms each, and 400 packets, 20 ms.
struct BbrLink {
  Picoseconds service_time;
  Picoseconds delay;
  Picoseconds round_trip() const { return service_time + delay; }
  double packets() const { return static_cast<double>(round_trip()) / static_cast<double>(service_time); }
  // Section 4.2.2: the send quantum (a 1024th of a second's, as Linux has it), in packets of 1500 bytes, at
  // so many times the bottleneck's rate.
  double quantum(double gain) const {
    const double rate_bit_per_s = gain * 8 * 1500 / kit::seconds(service_time);
    return std::max(2., std::min(rate_bit_per_s / 1024, 8.0 * 65536) / (8 * 1500));
  }
};
class Alone : public testing::TestWithParam<BbrLink> {
 protected:
  BbrPath path{GetParam().service_time, GetParam().delay};
};

// A path that carries nothing else: what is estimated is what it is (sections 4.1.1 and 4.1.2). The largest
// sample is of acknowledgements as the bottleneck sends them, back to back.
TEST_P(Alone, KnowsItsPath) {
  path.run_to(BbrState::kProbeBw);
  path.run_until(path.now + kSecond);
  EXPECT_EQ(path.sender.window().shortest_round_trip(), GetParam().round_trip());
  const double rate = path.sender.window().bottleneck_rate() * static_cast<double>(GetParam().service_time);
  EXPECT_LE(rate, 1 + 1e-12);
  EXPECT_GE(rate, 1 - 1e-3);
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_EQ(path.dropped, 0);
}

// Section 4.3.2: the rate doubles in a round trip from the initial window on; three rounds without growth
// show that it can do so no more. The drain then takes about one (section 4.3.3). Two rounds more are
// allowed, as the queue makes them longer: up to 2.89 times, by the window.
TEST_P(Alone, FindsThePipeFullInLogarithmicTime) {
  path.run_to(BbrState::kDrain);
  const double doublings = std::log2(GetParam().packets() / 10);
  const double rounds = static_cast<double>(path.now) / static_cast<double>(GetParam().round_trip());
  EXPECT_GT(rounds, doublings + 3);
  EXPECT_LT(rounds, doublings + 1 + 4 * 2.89);
  EXPECT_DOUBLE_EQ(path.sender.window().pacing_gain(), std::log(2) / 2);
  const Picoseconds drains_from = path.now;
  const double queue = path.queue();
  path.run_to(BbrState::kProbeBw);
  // In flight are BDP and three quanta at most, those of this acknowledgement, and as many as arrive in the
  // 2.89 service times until the next one leaves.
  EXPECT_LE(path.queue(), 3 * GetParam().quantum(std::log(2) / 2) + 2 + 2);
  // The queue shrinks by 1 - 1/2.89 of the bottleneck's rate once the slower packets reach it.
  const double least = queue * static_cast<double>(GetParam().service_time) / (1 - std::log(2) / 2);
  EXPECT_LT(static_cast<double>(path.now - drains_from),
            least + 2 * static_cast<double>(GetParam().round_trip()));
}

// Section 4.3.4: the eight gains in their order, a round trip each; the window allows 2 BDP, three quanta,
// two packets while probing (version 02, section 4.6.4.2) and, ten rounds after the start, what is
// acknowledged at once (4.5.5): a packet here, and a thousandth of those of some rounds, as the rate is
// estimated so well.
TEST_P(Alone, CyclesThroughTheGains) {
  path.run_to(BbrState::kProbeBw);
  path.run_until(path.now + 20 * GetParam().round_trip());
  path.trace.clear();
  const double gains[] = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
  path.run_until(path.now + 40 * GetParam().round_trip());
  std::vector<BbrSample> changes;
  for (const BbrSample& sample : path.trace) {
    if (changes.empty() || changes.back().gain != sample.gain) {
      changes.push_back(sample);
    }
    EXPECT_LE(sample.window, 2 * GetParam().packets() + 3 * GetParam().quantum(1.25) + 2 + 2);
  }
  ASSERT_GT(changes.size(), 10U);
  const auto round_trips = [&](std::size_t i) {
    return static_cast<double>(changes[i + 1].at - changes[i].at) /
           static_cast<double>(GetParam().round_trip());
  };
  for (std::size_t i = 1; i + 1 < changes.size(); ++i) {
    if (changes[i].gain == gains[0]) {
      EXPECT_EQ(changes[i + 1].gain, gains[1]);
      EXPECT_GE(round_trips(i), 1);
      EXPECT_LE(round_trips(i), 2);  // until 5/4 BDP and three quanta are in flight
    } else if (changes[i].gain == gains[1]) {
      EXPECT_EQ(changes[i + 1].gain, gains[2]);
      EXPECT_LE(round_trips(i), 1.1);
    } else {
      EXPECT_EQ(changes[i + 1].gain, gains[0]);
      EXPECT_NEAR(round_trips(i), 6, 0.3);  // a phase ends with the first acknowledgement after its time
    }
  }
}

// Section 4.3.5: 4 packets for 200 ms, or a round trip if that is longer, every 10 s. All else is the link's:
// what the link does not carry is what these 4 packets leave of it, for 200 ms to 200 ms and two round trips
// (the acknowledgement that ends it comes up to one later, and the first packet after it another). The 10 s
// count from the end of the last probe: a round trip is no shorter than the path's. Until no more than 4
// packets are in flight there is a round trip more, and one for the granularity of acknowledgements.
TEST_P(Alone, LosesOnlyWhatTheProbesForTheRoundTripCost) {
  path.run_to(BbrState::kProbeBw);
  path.run_to(BbrState::kProbeRtt);
  const Picoseconds from = path.now;
  const std::int64_t delivered_before = path.delivered;
  std::vector<Picoseconds> probes;
  BbrState last = BbrState::kProbeRtt;
  double longest_queue = 0;
  while (path.now < from + 100 * kSecond) {
    path.step();
    const BbrState state = path.sender.window().state();
    if (state == BbrState::kProbeRtt && last != state) {
      probes.push_back(path.now);
    }
    last = state;
    longest_queue = std::max(longest_queue, path.queue());
    // An estimate that has expired is whatever comes next (section 4.1.2.3), until the probe has been made.
    if (state == BbrState::kProbeBw) {
      ASSERT_EQ(path.sender.window().shortest_round_trip(), GetParam().round_trip());
    }
  }
  const double round_trip_s = kit::seconds(GetParam().round_trip());
  // By which the quanta lengthen a round trip.
  const double quanta = 3 * GetParam().quantum(1.25);
  const double queueing_s = quanta * kit::seconds(GetParam().service_time);
  ASSERT_GE(probes.size(), 8U);
  for (std::size_t i = 1; i < probes.size(); ++i) {
    const double apart_s = kit::seconds(probes[i] - probes[i - 1]);
    EXPECT_GT(apart_s, 10.2);
    EXPECT_LT(apart_s, 10.2 + 4 * (round_trip_s + queueing_s));
  }
  const double rate = 1 / kit::seconds(GetParam().service_time);
  const double goodput =
      static_cast<double>(path.delivered - delivered_before) / kit::seconds(path.now - from);
  const double left = 1 - 4 / GetParam().packets();
  EXPECT_LT(goodput / rate, 1 - left * 0.2 / (10.2 + 10 * round_trip_s) + 0.002);
  EXPECT_GT(goodput / rate, 1 - left * (0.2 + 2 * round_trip_s) / 10.2 - 0.002);
  // 5/4 of the path's packets, three send quanta (section 4.2.3.2) and those that are sent before the
  // acknowledgement that ends the phase: a round trip at 1/4 more.
  EXPECT_LT(longest_queue, 0.5 * GetParam().packets() + quanta + 5);
}

INSTANTIATE_TEST_SUITE_P(Paths, Alone,
                         testing::Values(BbrLink{kMillisecond / 2, 49'500'000'000},
                                         BbrLink{kMillisecond / 20, 19'950'000'000},
                                         BbrLink{kMillisecond * 12 / 10, 38'800'000'000}));

// Version 02, section 4.6.2: sending at 1 % below the estimate empties the queue, here of 6 packets in six
// phases of 4 each. At the estimate itself it would stay.
TEST(Bbr, PacesBelowItsEstimate) {
  BbrPath path(kMillisecond / 2, 199'500'000'000);
  path.run_to(BbrState::kProbeBw);
  path.run_until(path.now + 5 * kSecond);
  const auto gain = [&] { return path.sender.window().pacing_gain(); };
  for (int cycle = 0; cycle < 10; ++cycle) {
    path.run([&] { return gain() == 1.25; });
    EXPECT_LT(path.queue(), 1);
    path.run([&] { return gain() == 0.75; });
    EXPECT_GT(path.queue(), 50);
  }
}

// Section 4.3.4.2: any phase but the second.
TEST(Bbr, BeginsToCycleAtARandomPhase) {
  std::map<int, int> found;  // phases of gain 1 before the first probe; 7: it begins with the probe
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    BbrPath path(kMillisecond, 29 * kMillisecond, seed);
    path.run_to(BbrState::kProbeBw);
    const Picoseconds began = path.now;
    ASSERT_NE(path.sender.window().pacing_gain(), 0.75);
    path.run([&] { return path.sender.window().pacing_gain() == 1.25; });
    ++found[static_cast<int>(std::lround(static_cast<double>(path.now - began) / (30.0 * kMillisecond)))];
  }
  ASSERT_EQ(found.size(), 7U);  // after 0 to 6 phases
  for (const auto& [phases, count] : found) {
    EXPECT_LE(phases, 7);
    EXPECT_NEAR(count, 100, 4 * std::sqrt(100 * 6.0 / 7));  // binomial, 4 standard deviations
  }
}

// Section 4.2.3.4: with the first round trip of a recovery each packet that arrives lets one go; afterwards
// the window is what it was.
TEST(Bbr, ConservesPacketsAndRestoresTheWindow) {
  BbrPath path(kMillisecond, 99 * kMillisecond);
  path.run_to(BbrState::kProbeBw);
  path.run_until(path.now + kSecond);
  path.run([&] { return path.sender.window().pacing_gain() == 1; });
  const std::int32_t window = path.sender.window().window();
  EXPECT_EQ(window, 208);  // 2 BDP, three quanta of 2 packets, one that is acknowledged at once; made even
  path.drop = {static_cast<std::int64_t>(path.sent.size()) + 1};
  path.run([&] { return path.sender.in_recovery(); });
  // The third packet after the lost one has just arrived. One has been lost, and the window is what is in
  // flight and the packet that goes.
  EXPECT_NEAR(path.sender.window().window(), path.in_flight() + 1, 1);
  EXPECT_LT(path.sender.window().window(), 110);
  const Picoseconds began = path.now;
  while (path.sender.in_recovery()) {
    EXPECT_LE(path.in_flight(), 106);
    path.step();
  }
  EXPECT_NEAR(kit::seconds(path.now - began), 0.1, 0.01);  // the repair is back
  EXPECT_EQ(path.sender.window().window(), window);
  EXPECT_EQ(path.timeouts, 0);
}

// A window by itself, and acknowledgements of a packet each, 10 ms apart, over a round trip of 100 ms.
struct LoneBbr {
  Bbr bbr{kit::Tcp{.variant = "bbr", .rwnd_packets = 1000, .packet_bytes = 1500}};
  DeliveryEvent ack;

  LoneBbr() {
    bbr.start(100, 1000);
    ack.now = ack.round_trip = 100 * kMillisecond;
    ack.delivered = 1;
  }

  void acknowledge(double packets_per_s, std::int64_t prior_delivered, std::int32_t in_flight = 99) {
    ack.rate = {.packets_per_ps = packets_per_s / static_cast<double>(kSecond),
                .prior_delivered = prior_delivered};
    ack.in_flight = in_flight;
    bbr.on_delivery(ack);
    ack.now += 10 * kMillisecond;
  }
};

// Linux's windowed maximum: a round's largest rate counts until ten more rounds have begun.
TEST(Bbr, ForgetsARateWithTheEleventhRoundAfterIt) {
  LoneBbr alone;
  alone.acknowledge(200, 0);
  for (std::int64_t round = 1; round <= 10; ++round) {
    alone.acknowledge(100, round);
    EXPECT_DOUBLE_EQ(alone.bbr.bottleneck_rate() * kSecond, 200) << round;
  }
  alone.acknowledge(100, 11);
  EXPECT_DOUBLE_EQ(alone.bbr.bottleneck_rate() * kSecond, 100);
}

// As Linux has it: a recovery that begins with the acknowledgement that ends another one goes on with it, and
// does not conserve packets once more.
TEST(Bbr, GoesOnWithARecoveryThatFollowsAtOnce) {
  for (const bool at_once : {true, false}) {
    LoneBbr alone;
    alone.acknowledge(1000, 0);
    alone.bbr.on_loss({});
    alone.acknowledge(1000, 0, 60);
    EXPECT_EQ(alone.bbr.window(), 61);
    alone.acknowledge(1000, 2, 60);  // the round is over
    EXPECT_EQ(alone.bbr.window(), 62);
    alone.bbr.on_recovered(0, 0);
    if (!at_once) {
      alone.acknowledge(1000, 2, 60);
      EXPECT_GT(alone.bbr.window(), 100);  // as before the loss
    }
    alone.bbr.on_loss({});
    alone.acknowledge(1000, 2, 60);
    EXPECT_EQ(alone.bbr.window(), at_once ? 63 : 61);
  }
}

// Section 4.2.3.4: a timeout leaves one packet; acknowledgements bring the window back to what it was.
TEST(Bbr, SendsOnePacketAfterATimeout) {
  BbrPath path(kMillisecond, 99 * kMillisecond);
  path.run_to(BbrState::kProbeBw);
  path.run_until(path.now + kSecond);
  path.run([&] { return path.sender.window().pacing_gain() == 1; });
  const std::int32_t window = path.sender.window().window();
  const auto sent = static_cast<std::int64_t>(path.sent.size());
  for (std::int64_t packet = 1; packet <= 400; ++packet) {
    path.drop.insert(sent + packet);
  }
  // The timer runs out 1 s after the last acknowledgement; until then the window is used up.
  path.run([&] { return path.in_flight() == 0; });
  path.run([&] { return path.sender.deadline() > path.now + 100 * kMillisecond; });
  path.drop.clear();
  const std::size_t before = path.sent.size();
  path.run([&] { return path.timeouts == 1; });
  EXPECT_EQ(path.sender.window().window(), 1);
  const std::int64_t delivered = path.delivered;
  EXPECT_EQ(path.sent.size(), before + 1);
  path.step();
  EXPECT_EQ(path.delivered, delivered + 1);
  path.run_until(path.now + 4 * kSecond);
  path.run([&] { return path.sender.window().pacing_gain() == 1; });
  EXPECT_FALSE(path.sender.in_recovery());
  EXPECT_EQ(path.sender.window().window(), window);
  EXPECT_EQ(path.timeouts, 1);
}

// A loss is no sign of congestion: 1 % of random losses cost 1 % of the goodput and the probes for the round
// trip, and a recovery now and then (CACM, figure 8). 5 % are allowed for all of it.
TEST(Bbr, KeepsALossyLinkBusy) {
  std::mt19937 random(3);
  BbrPath path(kMillisecond / 2, 49'500'000'000);
  for (std::int64_t packet = 1; packet < 300'000; ++packet) {
    if (random() % 100 == 0) {
      path.drop.insert(packet);
    }
  }
  path.run_until(10 * kSecond);
  const std::int32_t una = path.sender.una();
  path.run_until(110 * kSecond);
  EXPECT_GT(path.sender.una() - una, 0.95 * 200'000);
  EXPECT_LT(path.sender.una() - una, 0.99 * 200'000);
}

}  // namespace
}  // namespace packetsim
