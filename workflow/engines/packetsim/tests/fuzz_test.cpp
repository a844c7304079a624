// 13,000 points with numbers, words and structure changed at random, from fixed seeds: each is refused in one
// line, or is run a little. Overflow and bad memory are what the sanitizers see.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/point/point.hpp"
#include "kit/probes/probe_set.hpp"
#include "kit/random/random.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "kit/tests/point_json.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "run/simulate_dumbbell.hpp"
#include "tcp/variants.hpp"

namespace packetsim {
namespace {

// Of losses in the queue and on the link.
Json on_off_point() {
  Json json = on_off_json();
  json["links"]["bottleneck"].update({{"loss_probability", 0.01}, {"ties", "random"}, {"buffer_packets", 5}});
  Json& losses = json["links"]["bottleneck"]["loss_process"];
  losses = {{"kind", "bursts"}, {"burst_packets", 3}, {"burst_loss", 0.5}};
  json["links"]["egress"]["delay_s"] = 0.001;
  json["sources"][0]["count"] = 3;
  json["stop"]["connections"] = 30;
  json["probes"] = Json::parse(R"([{"kind": "size-intervals", "intervals": [[3, 6], [7, null]]}])");
  return json;
}

// Behind a link that varies.
Json web_users_point(Json json) {
  json["sources"][0]["workload"] = Json::parse(R"({"kind": "http",
    "file_size": {"distribution": "lognormal", "mean_packets": 10, "standard_deviation_packets": 20},
    "off_time": {"distribution": "lognormal", "mean_s": 1, "standard_deviation_s": 2},
    "first_think": "equilibrium", "ends_at": "destination"})");
  json["sources"][0]["tcp"]["idle_restart_s"] = 0.5;
  json["stop"] = {{"packets", 200}, {"warmup_packets", 20}};
  json["probes"] = {{{"kind", "window-trace"}}};
  json["links"]["bottleneck"].update(
      Json::parse(R"({"token_bucket": {"rate_bit_per_s": 1e6, "burst_bytes": 9000},
    "rate_steps": [{"at_s": 1, "rate_bit_per_s": 3e6}, {"at_s": 1.5, "rate_bit_per_s": 3e7}]})"));
  return json;
}

std::vector<Json> good_points() {
  const Json on_off = on_off_point();
  Json bulk = on_off;
  bulk["sources"][0]["workload"] = {{"kind", "bulk"}};
  bulk["sources"][0]["tcp"]["variant"] = "tahoe";
  bulk["sources"][0]["tcp"]["clock_tick_s"] = 0.5;
  bulk["stop"] = {{"duration_s", 10}, {"warmup_s", 1}};
  bulk["cross_traffic"] = {{"kind", "poisson"}, {"rate_bit_per_s", 1e6}};
  bulk["probes"] = {{{"kind", "loss-cycles"}}, {{"kind", "window-trace"}}};
  Json groups = on_off;
  groups["sources"].push_back(bulk["sources"][0]);
  groups["sources"][1]["name"] = "b";
  groups["links"]["bottleneck"]["queue"] = "fair-shared";
  groups["links"]["bottleneck"].erase("ties");
  groups["probes"] = {
      {{"kind", "loss-recovery"}}, {{"kind", "capacity-sharing"}}, {{"kind", "drop-positions"}}};
  Json managed = groups;
  managed["links"]["bottleneck"]["queue"] = "fq-codel";
  managed["sources"][0]["tcp"]["variant"] = "cubic";
  managed["sources"][0]["tcp"]["delayed_ack"] = {{"packets", 2}, {"timeout_s", 0.04}, {"quick_acks", 1}};
  managed["sources"][0]["tcp"]["ecn"] = true;
  managed["sources"][0]["tcp"]["loss_detection"] = "rack-tlp";
  managed["probes"] = {{{"kind", "window-trace"}}};
  return {on_off, bulk, groups, managed, web_users_point(on_off), compound_json()};
}

// What a changed value becomes.
Json unlikely_value(Random& random, const Json& before) {
  static const std::array<double, 24> kNumbers = {
      0,    -1,    1,     0.5,  1.5, -0.0, 1e-300,     1e-12,        1e-6, 3600,
      3601, 86400, 1e5,   1e6,  1e9, 1e12, 2147483647, 2147483648.0, 1e18, 9007199254740992.0,
      1e19, 1e300, 65535, 65536};
  const auto pick = [&](std::uint64_t count) { return random.bits() % count; };
  switch (pick(8)) {
    case 0:
      return nullptr;
    case 1:
      return std::string(pick(2) == 0 ? 3 : 100'000, pick(2) == 0 ? 'x' : '\n');
    case 2:
      return Json::array({before, before});
    case 3:
      return Json{{"key", before}};
    case 4:
    case 5:
      if (before.is_number()) {  // as it was, or nearly, by up to 19 powers of ten
        return before.get<double>() * std::pow(10, static_cast<double>(pick(39)) - 19);
      }
      return "exponential";
    default:
      return kNumbers[pick(kNumbers.size())];
  }
}

// One value changed, left out or added.
void mutate(Json& point, Random& random) {
  const Json flat = point.flatten();
  auto place = flat.begin();
  std::advance(place, static_cast<std::ptrdiff_t>(random.bits() % flat.size()));
  const Json::json_pointer pointer(place.key());
  switch (random.bits() % 10) {
    case 0:
      if (point[pointer.parent_pointer()].is_object()) {
        point[pointer.parent_pointer()].erase(pointer.back());
      }
      break;
    case 1:
      if (point[pointer.parent_pointer()].is_object()) {
        point[pointer.parent_pointer()][std::string(1 + random.bits() % 500, 'k')] = 1;
      }
      break;
    default:
      point[pointer] = unlikely_value(random, point[pointer]);
  }
}

struct Enough {};

// Ends a run that sends more than a few packets.
class ShortRun : public ProbeSet {
 public:
  using ProbeSet::ProbeSet;

  void packet_sent(std::int32_t flow, std::int32_t packet, Picoseconds now) {
    constexpr std::int64_t kPackets = 300;
    if (++sent_ > kPackets) {
      throw Enough{};
    }
    ProbeSet::packet_sent(flow, packet, now);
  }

 private:
  std::int64_t sent_ = 0;
};

// Whether loss events come soon: the parameters as they were, and a path of some 100 packets that fills.
bool fills_the_buffer_soon(const Point& point) {
  const SourceGroup& flow = point.groups.front();
  const auto* compound = std::get_if<CompoundParameters>(&flow.tcp.own);
  const Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const double propagation_s = flow.access.delay_s + bottleneck.delay_s + point.dumbbell().egress.delay_s +
                               point.return_delay_s + flow.extra_delay_s;
  const double packet_s = 8.0 * point.packet_bytes / bottleneck.rate_bit_per_s;
  return compound != nullptr && compound->alpha == 0.125 && compound->k == 0.75 && compound->beta == 0.5 &&
         compound->zeta == 1 && compound->gamma_packets == 30 && compound->damping == 1 &&
         flow.tcp.min_rto_s >= 1 && bottleneck.loss_probability == 0 &&
         flow.access.rate_bit_per_s >= 2 * bottleneck.rate_bit_per_s &&
         point.dumbbell().egress.rate_bit_per_s >= 2 * bottleneck.rate_bit_per_s &&
         propagation_s / packet_s + bottleneck.buffer_packets < 100 &&
         propagation_s + bottleneck.buffer_packets * packet_s < 0.5 && point.stop.loss_events < 10 &&
         point.stop.warmup_loss_events < 10;
}

// Whether a run is over soon, or ends when ShortRun says so: what is neither takes its time, and that is
// right.
bool is_cheap(const Point& point) {
  if (point.source_count() > 1000 || point.dumbbell().bottleneck.buffer_packets > 10'000) {
    return false;
  }
  for (const SourceGroup& group : point.groups) {
    if (group.tcp.rwnd_packets > 10'000 || (point.stop.loss_events > 0 && !fills_the_buffer_soon(point))) {
      return false;
    }
  }
  // Nobody counts packets of cross traffic.
  return point.cross_traffic.kind == CrossTrafficSpec::Kind::kNone ||
         (point.stop.duration_s > 0 && point.cross_traffic.rate_bit_per_s / point.packet_bytes *
                                               (point.stop.warmup_s + point.stop.duration_s) <
                                           1e5);
}

template <class Queue>
Measurements run_groups(const Point& point) {
  Dumbbell<Variants::AnySender, ShortRun, Queue, ManyGroups> dumbbell(point, 1, ShortRun(point));
  return run_and_measure(dumbbell, point, {});
}

void run_a_little(const Point& point) {
  try {
    const bool isolated = point.stop.loss_events > 0;
    const Bottleneck& bottleneck = point.dumbbell().bottleneck;
    const Measurements measured = isolated ? simulate(point, 1)
                                  : bottleneck.queue != Bottleneck::Queue::kDropTail
                                      ? run_groups<FairQueue>(point)
                                  : bottleneck.varies() ? run_groups<VaryingDropTailQueue>(point)
                                                        : run_groups<DropTailQueue>(point);
    EXPECT_FALSE(run_json(point, 1, measured, kEngine).empty());
  } catch (const Enough&) {
  }
}

void expect_one_line(const std::string& line) {
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  EXPECT_LT(line.size(), 500U) << line;
}

struct Outcomes {
  int refused = 0;
  int run = 0;
};

// `read` gives the point or throws.
template <class Read>
void try_point(Read read, Outcomes& outcomes) {
  try {
    const Point point = read();
    if (is_cheap(point)) {
      ++outcomes.run;
      run_a_little(point);
    }
  } catch (const InputError& error) {
    ++outcomes.refused;
    expect_one_line(error.what());
  } catch (const Unsupported& error) {
    expect_one_line(error.what());
  }
}

TEST(Fuzz, ChangedPointsAreRefusedInOneLineOrRun) {
  const std::vector<Json> points = good_points();
  Random random(20, Stream::kStart);
  Outcomes outcomes;
  for (int i = 0; i < 9000; ++i) {
    Json point = points[static_cast<std::size_t>(i) % points.size()];
    for (std::uint64_t changes = random.bits() % 3; changes-- > 0;) {
      mutate(point, random);
    }
    try_point([&] { return parse_point(point, "point.json"); }, outcomes);
  }
  EXPECT_GT(outcomes.refused, 1000);
  EXPECT_GT(outcomes.run, 1000);
}

TEST(Fuzz, ChangedTextsAreRefusedInOneLineOrRun) {
  const auto file = std::filesystem::path(testing::TempDir()) / "fuzz_point.json";
  const std::vector<Json> points = good_points();
  Random random(21, Stream::kStart);
  Outcomes outcomes;
  for (int i = 0; i < 1000; ++i) {
    std::string text = points[static_cast<std::size_t>(i) % points.size()].dump();
    for (std::uint64_t changes = 1 + random.bits() % 3; changes-- > 0;) {
      const std::size_t place = random.bits() % text.size();
      switch (random.bits() % 4) {
        case 0:
          text[place] = static_cast<char>(random.bits() % 256);
          break;
        case 1:
          text.insert(place, std::string(random.bits() % 30, "0123456789eE.-[{\""[random.bits() % 17]));
          break;
        case 2:
          text.erase(place, 1 + random.bits() % 3);
          break;
        default:
          text.resize(place + 1);
      }
    }
    std::ofstream(file) << text;
    try_point([&] { return read_point(file); }, outcomes);
  }
  std::filesystem::remove(file);
  EXPECT_GT(outcomes.refused, 100);
}

Json loop_point() {
  Json json = kit::local_loop_points::web();
  json["stations"].erase(1);  // quick without other traffic
  json["stations"][1].update({{"buffer_packets", 20}, {"head_of_line", "apart"}});
  json["sources"][0]["workload"]["off_time"]["mean_s"] = 3;
  json["fixed_point"].update({{"step_packets", 200}, {"min_steps", 2}, {"max_steps", 2}});
  json["stop"] = {{"packets", 300}, {"warmup_packets", 400}};
  return json;
}

TEST(Fuzz, ChangedPointsOfLocalLoopsAreRefusedInOneLineOrRun) {
  Random random(22, Stream::kStart);
  Outcomes outcomes;
  for (int i = 0; i < 3000; ++i) {
    Json json = i % 2 == 0 ? loop_point() : kit::local_loop_points::reno(loop_point());
    for (std::uint64_t changes = random.bits() % 3; changes-- > 0;) {
      mutate(json, random);
    }
    try {
      Point point = parse_point(json, "point.json");
      if (point.source_count() > 1000) {
        continue;
      }
      ++outcomes.run;
      point.stop.warmup_packets = std::min<std::int64_t>(point.stop.warmup_packets, 300);
      point.stop.packets = std::min<std::int64_t>(point.stop.packets, 300);
      EXPECT_FALSE(run_json(point, 1, simulate(point, 1), kEngine).empty());
    } catch (const InputError& error) {
      ++outcomes.refused;
      expect_one_line(error.what());
    } catch (const Unsupported& error) {
      expect_one_line(error.what());
    }
  }
  EXPECT_GT(outcomes.refused, 300);
  EXPECT_GT(outcomes.run, 300);
}

// Sources that pause for a day, of which no 53 days hold a million.
TEST(Clock, ARunThatItCannotTellTheTimeOfEndsInOneLine) {
  Json json = on_off_point();
  json["sources"][0]["workload"]["off_time"]["mean_s"] = 86400;
  json["stop"]["connections"] = 1'000'000;
  try {
    simulate(parse_point(json, "point.json"), 1);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_EQ(std::string(error.what()),
              "stop: is not reached in 53 days of simulated time, where the clock ends; must be sooner");
  }
}

// A second for each packet on the access link, and a retransmission every 10 microseconds.
TEST(Clock, ALinkThatFallsEverFurtherBehindEndsTheRunInOneLine) {
  Json json = on_off_point();
  json["sources"][0]["access"]["rate_bit_per_s"] = 12'000;
  json["sources"][0]["tcp"]["min_rto_s"] = json["sources"][0]["tcp"]["max_rto_s"] = 1e-5;
  json["links"]["bottleneck"]["loss_probability"] = 0.9999;
  json["links"]["bottleneck"].erase("loss_process");
  json["probes"] = Json::array();
  EXPECT_THROW(simulate(parse_point(json, "point.json"), 1), Unsupported);
}

}  // namespace
}  // namespace packetsim
