// A connection numbers its packets in 31 bits: what carries more is refused, and never begins anew unseen.

#include "kit/point/most_packets.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "kit/local_loop/loop_users.hpp"
#include "kit/local_loop/settings_of.hpp"
#include "kit/tests/local_loop_points.hpp"
#include "kit/tests/point_json.hpp"
#include "run/simulate.hpp"
#include "tcp/file_series.hpp"

namespace packetsim {
namespace {

// A transfer without end has as many packets as a connection can number; a short one stands for it.
TEST(MostPackets, ARunThatOutlivesATransferWithoutEndIsRefused) {
  Json json = kit::compound_json();
  json["probes"] = Json::array();
  for (const char* stop :
       {R"({"duration_s": 60, "warmup_s": 1})", R"({"packets": 3000, "warmup_packets": 9})",
        R"({"loss_events": 1000, "warmup_loss_events": 1})"}) {
    json["stop"] = Json::parse(stop);
    Point point = kit::parse_point(json, "point.json");
    double& packets = point.groups[0].workload.file_size.mean_packets;
    EXPECT_EQ(packets, kit::kMostPackets);
    packets = 2'000;
    try {
      simulate(point, 1);
      ADD_FAILURE() << stop;
    } catch (const Unsupported& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("stop: comes after 2e9 packets")) << error.what();
    }
  }
}

TEST(MostPackets, SoIsALocalLoop) {
  const Point point = kit::parse_point(kit::local_loop_points::bulk(), "point.json");
  kit::LoopUsers users(kit::local_loop::settings_of(point), 0, 1);
  EXPECT_EQ(users.burst(), kit::kMostPackets);
  EXPECT_THROW(users.think_time(), Unsupported);
}

// Files on one connection; after a long pause it numbers anew.
TEST(MostPackets, AConnectionThatLivesOnCarriesAsManyInAll) {
  struct {
    void start(std::int32_t packets, const TcpLimits&, Picoseconds, int) { last = packets; }
    void resume(std::int32_t packets, const TcpLimits&, Picoseconds, int) { last += packets; }
    static bool done() { return true; }
    std::int32_t last = 0;
  } sender;
  FileSeries files;
  const auto carry = [&](std::int64_t packets, bool after_long_pause) {
    files.carry_next(
        packets, after_long_pause, sender, {}, 0, [] {}, 0);
  };
  carry(1, false);
  carry(kit::kMostPackets - 1, false);
  EXPECT_EQ(sender.last, 2'000'000'000);
  carry(kit::kMostPackets, true);
  EXPECT_EQ(sender.last, 2'000'000'000);
  EXPECT_THROW(carry(1, false), Unsupported);
}

}  // namespace
}  // namespace packetsim
