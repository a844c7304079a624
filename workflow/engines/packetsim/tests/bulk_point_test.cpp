// Points with a bulk transfer: read, refused in one line, run and written.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kit/main/run.hpp"
#include "kit/point/point.hpp"
#include "kit/tests/point_json.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

struct BadValue {
  const char* pointer;  // what is changed
  Json value;
  const char* key;  // how the message names it
};

class BadBulkPoint : public testing::TestWithParam<BadValue> {};

TEST_P(BadBulkPoint, IsNamedInOneLine) {
  Json json = compound_json();
  json[Json::json_pointer(GetParam().pointer)] = GetParam().value;
  std::string line;
  try {
    simulate(parse_point(json, "point.json"), 1);
  } catch (const InputError& error) {
    line = error.what();
  } catch (const Unsupported& error) {
    line = "point.json: " + std::string(error.what());
  }
  EXPECT_EQ(line.rfind("point.json: " + std::string(GetParam().key) + ": ", 0), 0U) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(
    Values, BadBulkPoint,
    testing::Values(BadValue{"/sources/0/tcp/k", 0, "sources.0.tcp.k"},
                    BadValue{"/sources/0/tcp/k", 1, "sources.0.tcp.k"},
                    BadValue{"/sources/0/tcp/k", 0.8, "sources.0.tcp.k"},
                    BadValue{"/sources/0/tcp/alpha", 0, "sources.0.tcp.alpha"},
                    BadValue{"/sources/0/tcp/alpha", 0.1, "sources.0.tcp.alpha"},
                    BadValue{"/sources/0/tcp/alpha", 2, "sources.0.tcp.alpha"},
                    BadValue{"/sources/0/tcp/beta", 0, "sources.0.tcp.beta"},
                    BadValue{"/sources/0/tcp/beta", 1, "sources.0.tcp.beta"},
                    BadValue{"/sources/0/tcp/zeta", 0, "sources.0.tcp.zeta"},
                    BadValue{"/sources/0/tcp/gamma_packets", 0.5, "sources.0.tcp.gamma_packets"},
                    BadValue{"/sources/0/tcp/damping", 0, "sources.0.tcp.damping"},
                    BadValue{"/sources/0/tcp/arithmetic", "fixed", "sources.0.tcp.arithmetic"},
                    BadValue{"/sources/0/tcp/recovery", "none", "sources.0.tcp.recovery"},
                    BadValue{"/sources/0/tcp/rwnd_packets", 52, "sources.0.tcp.rwnd_packets"},
                    BadValue{"/links/bottleneck/buffer_packets", 0, "links.bottleneck.buffer_packets"},
                    BadValue{"/links/bottleneck/queue", "fair-shared", "links.bottleneck.queue"},
                    BadValue{"/sources/0/count", 2, "sources.0.count"},
                    BadValue{"/stop/loss_events", 0, "stop.loss_events"},
                    BadValue{"/stop/connections", 10, "stop.connections"}));

TEST(BulkPoint, IsRunAndWrittenWithItsTrace) {
  const Point point = parse_point(compound_json(), "point.json");
  const auto run = run_json(point, 7, simulate(point, 7), kEngine);
  EXPECT_FALSE(run["metrics"].contains("goodput_per_connection"));
  EXPECT_EQ(run["metrics"]["drops_per_loss_event"]["unit"], "packets");
  const auto& trace = run["traces"]["window"];
  ASSERT_GT(trace["time_s"].size(), 10U);
  EXPECT_EQ(trace["time_s"].size(), trace["value"].size());
  EXPECT_LE(trace["time_s"].back(), run["simulated_s"]);
  // Measured over the three cycles from loss to loss.
  EXPECT_NEAR(run["metrics"]["loss_interval"]["value"].get<double>() * 3,
              trace["time_s"].back().get<double>(), 1);
  EXPECT_EQ(run, run_json(point, 7, simulate(point, 7), kEngine));
}

// A window of one packet: each takes a round trip of 50 ms and its three transmission times of 1 ms.
TEST(BulkPoint, ATransferEndsWithItsLastAcknowledgement) {
  Json json = compound_json();
  json["sources"][0]["tcp"] = {{"variant", "newreno"},
                               {"rwnd_packets", 1},
                               {"initial_window_packets", 1},
                               {"min_rto_s", 1},
                               {"max_rto_s", 64}};
  json["packet_bytes"] = 1250;
  json["sources"][0]["access"]["rate_bit_per_s"] = 1e7;
  json["links"]["egress"]["rate_bit_per_s"] = 1e7;
  json["stop"] = {{"transfer_packets", 200}};
  json["probes"] = Json::array();
  const Point point = parse_point(json, "point.json");
  const auto run = run_json(point, 7, simulate(point, 7), kEngine);
  EXPECT_NEAR(run["simulated_s"].get<double>(), 200 * 0.053, 1e-9);
  EXPECT_NEAR(run["metrics"]["goodput"]["value"].get<double>(), 1 / 0.053, 1e-9);
  EXPECT_EQ(run["counters"]["packets_sent"], 200);
  EXPECT_EQ(run["counters"]["connections_completed"], 1);
}

TEST(BulkPoint, UnknownVariantsAreNamedInOneLine) {
  Json json = compound_json();
  json["sources"][0]["tcp"] = {{"variant", "vegas"},
                               {"rwnd_packets", 100},
                               {"initial_window_packets", 2},
                               {"min_rto_s", 1},
                               {"max_rto_s", 64}};
  json["stop"] = {{"duration_s", 10}, {"warmup_s", 0}};
  json["probes"] = Json::array();
  try {
    simulate(parse_point(json, "point.json"), 1);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_STREQ(error.what(),
                 "sources: the TCP variant 'vegas' is unknown to packetsim; one of newreno, reno, tahoe, "
                 "newreno-sack, cubic, dctcp, bbr, compound");
  }
}

}  // namespace
}  // namespace packetsim
