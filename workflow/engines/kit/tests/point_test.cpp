// Bad points: one line that names the file, the key and what is allowed.

#include "kit/point/point.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "kit/main/run.hpp"
#include "kit/tests/point_json.hpp"

namespace kit {
namespace {

std::string complaint(const Json& json) {
  try {
    parse_point(json, "point.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Point, AGoodOneIsRead) {
  EXPECT_EQ(complaint(on_off_json()), "");
  EXPECT_EQ(parse_point(on_off_json(), "").dumbbell().bottleneck.buffer_packets, 200);
}

TEST(Point, EveryQueueIsRead) {
  Json json = on_off_json();
  json["links"]["bottleneck"]["queue"] = "fair-individual";
  EXPECT_EQ(parse_point(json, "").dumbbell().bottleneck.queue, Bottleneck::Queue::kFairIndividual);
  json["links"]["bottleneck"]["queue"] = "fair-shared";
  EXPECT_EQ(parse_point(json, "").dumbbell().bottleneck.queue, Bottleneck::Queue::kFairShared);
}

TEST(Point, TheSpreadOfBulkStartsIsRead) {
  Json json = on_off_json();
  json["sources"][0]["workload"] = {{"kind", "bulk"}};
  json["stop"] = {{"duration_s", 10}, {"warmup_s", 1}};
  EXPECT_EQ(parse_point(json, "").groups[0].workload.start_spread_s, 0);
  json["sources"][0]["workload"]["start_spread_s"] = 0.05;
  EXPECT_EQ(parse_point(json, "").groups[0].workload.start_spread_s, 0.05);
  json["sources"][0]["workload"]["start_spread_s"] = -1;
  EXPECT_EQ(
      complaint(json),
      "point.json: sources.0.workload.start_spread_s: is -1.0; must be at least 0.0 and at most 3600.0");
  json = on_off_json();
  json["sources"][0]["workload"]["start_spread_s"] = 0.05;  // on-off sources begin after an off time
  EXPECT_EQ(complaint(json).rfind("point.json: sources.0.workload.start_spread_s: ", 0), 0U)
      << complaint(json);
}

TEST(Point, EveryTieRuleIsRead) {
  Json json = on_off_json();
  EXPECT_EQ(parse_point(json, "").dumbbell().bottleneck.ties, Bottleneck::Ties::kDepartureFirst);
  Json& ties = json["links"]["bottleneck"]["ties"];
  ties = "departure-first";
  EXPECT_EQ(parse_point(json, "").dumbbell().bottleneck.ties, Bottleneck::Ties::kDepartureFirst);
  ties = "arrival-first";
  EXPECT_EQ(parse_point(json, "").dumbbell().bottleneck.ties, Bottleneck::Ties::kArrivalFirst);
  ties = "random";
  EXPECT_EQ(parse_point(json, "").dumbbell().bottleneck.ties, Bottleneck::Ties::kRandom);
  json["links"]["bottleneck"]["queue"] = "fair-shared";
  EXPECT_EQ(complaint(json),
            "point.json: links.bottleneck.ties: must be departure-first unless links.bottleneck.queue is "
            "drop-tail");
}

TEST(Point, EveryLossProcessIsRead) {
  Json json = on_off_json();
  json["links"]["bottleneck"]["loss_probability"] = 0.1;
  const auto losses = [&] { return parse_point(json, "").dumbbell().bottleneck.losses; };
  EXPECT_EQ(losses().kind, Losses::Kind::kIndependent);
  Json& process = json["links"]["bottleneck"]["loss_process"];
  process = {{"kind", "independent"}};
  EXPECT_EQ(losses().kind, Losses::Kind::kIndependent);
  process = {{"kind", "evenly-spaced"}};
  EXPECT_EQ(losses().kind, Losses::Kind::kEvenlySpaced);
  process["burst_packets"] = 3;
  EXPECT_EQ(complaint(json).rfind("point.json: links.bottleneck.loss_process.burst_packets: ", 0), 0U);
  process = {{"kind", "bursts"}, {"burst_packets", 3}, {"burst_loss", 0.5}};
  EXPECT_EQ(losses().kind, Losses::Kind::kBursts);
  EXPECT_EQ(losses().burst_packets, 3);
  EXPECT_EQ(losses().burst_loss, 0.5);
  // Gaps of 3 (0.5 / p - 1) packets on average, which are one at least.
  json["links"]["bottleneck"]["loss_probability"] = 0.374;
  EXPECT_EQ(complaint(json), "");
  json["links"]["bottleneck"]["loss_probability"] = 0.376;
  EXPECT_EQ(complaint(json).rfind("point.json: links.bottleneck.loss_process.burst_packets: ", 0), 0U);
  json["links"]["bottleneck"]["loss_probability"] = 0.5;
  EXPECT_EQ(complaint(json).rfind("point.json: links.bottleneck.loss_process.burst_packets: ", 0), 0U);
}

TEST(Point, VariantsAreNamesThatEnginesKnow) {
  Json json = on_off_json();
  json["sources"][0]["tcp"]["variant"] = "vegas";
  EXPECT_EQ(parse_point(json, "").groups[0].tcp.variant, "vegas");
}

TEST(Point, GroupsOfSourcesAreRead) {
  Json json = on_off_json();
  Json group = json["sources"][0];
  group["name"] = "slow";
  group["count"] = 3;
  group["extra_delay_s"] = 0.2;
  group["workload"] = {{"kind", "bulk"}};
  json["sources"].push_back(group);
  const Point point = parse_point(json, "");
  ASSERT_EQ(point.groups.size(), 2U);
  EXPECT_EQ(point.source_count(), 8);
  EXPECT_EQ(point.groups[1].name, "slow");
  EXPECT_EQ(point.groups[1].extra_delay_s, 0.2);
  EXPECT_TRUE(point.groups[1].workload.bulk());
  EXPECT_FALSE(point.all_bulk());
  json["sources"][1]["name"] = "sources";
  EXPECT_EQ(complaint(json),
            "point.json: sources.1.name: is 'sources', as that of another group; each group its own");
}

TEST(Point, BulkSourcesDoNotStopByConnections) {
  Json json = on_off_json();
  json["sources"][0]["workload"] = {{"kind", "bulk"}};
  EXPECT_EQ(complaint(json),
            "point.json: stop.connections: is never reached by bulk sources; one of duration_s, loss_events, "
            "transfer_packets");
}

TEST(Point, ATransferIsOfOneBulkSource) {
  Json json = on_off_json();
  json["stop"] = {{"transfer_packets", 5000}};
  const std::string refused =
      "point.json: stop.transfer_packets: is of one bulk source; no other source may be there";
  json["sources"][0]["count"] = 1;
  EXPECT_EQ(complaint(json), refused);
  json["sources"][0]["workload"] = {{"kind", "bulk"}};
  const Point point = parse_point(json, "");
  EXPECT_EQ(point.groups[0].workload.file_size.mean_packets, 5000);
  EXPECT_EQ(point.stop.connections, 1);
  json["sources"][0]["count"] = 2;
  EXPECT_EQ(complaint(json), refused);
}

TEST(Point, CrossTrafficDoesNotGoWithAFairQueue) {
  Json json = on_off_json();
  json["cross_traffic"] = {{"kind", "poisson"}, {"rate_bit_per_s", 1e6}};
  EXPECT_EQ(complaint(json), "");
  json["links"]["bottleneck"]["queue"] = "fair-shared";
  EXPECT_EQ(complaint(json),
            "point.json: cross_traffic: must be absent unless links.bottleneck.queue is drop-tail");
}

TEST(Point, LossCyclesAreThoseOfBulkTahoe) {
  Json json = on_off_json();
  json["sources"][0]["tcp"]["variant"] = "tahoe";
  json["sources"][0]["workload"] = {{"kind", "bulk"}};
  json["stop"] = {{"duration_s", 100}, {"warmup_s", 10}};
  json["probes"] = {{{"kind", "loss-cycles"}}};
  EXPECT_EQ(complaint(json), "");
  const std::string refused =
      "point.json: probes.0.kind: must not be loss-cycles unless all sources are bulk with tcp.variant tahoe";
  json["sources"][0]["tcp"]["variant"] = "reno";
  EXPECT_EQ(complaint(json), refused);
  Json on_off = on_off_json();
  on_off["sources"][0]["tcp"]["variant"] = "tahoe";
  on_off["probes"] = {{{"kind", "loss-cycles"}}};
  EXPECT_EQ(complaint(on_off), refused);
}

struct BadInput {
  const char* pointer;  // what is changed
  Json value;
  const char* key;  // how the message names it
};

class BadPoint : public testing::TestWithParam<BadInput> {};

TEST_P(BadPoint, IsNamedInOneLine) {
  Json json = on_off_json();
  json[Json::json_pointer(GetParam().pointer)] = GetParam().value;
  const std::string line = complaint(json);
  EXPECT_EQ(line.rfind("point.json: " + std::string(GetParam().key) + ": ", 0), 0U) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

// One of each thing that can be wrong, and what is more than one value's.
INSTANTIATE_TEST_SUITE_P(
    Inputs, BadPoint,
    testing::Values(
        BadInput{"/schema", "tcp-atlas/point/4", "schema"}, BadInput{"/colour", "red", "colour"},
        BadInput{"/kind", "ring", "kind"}, BadInput{"/links", 5, "links"},
        BadInput{"/return_delay_s", "fast", "return_delay_s"},
        BadInput{"/links/bottleneck/buffer_packets", 1.5, "links.bottleneck.buffer_packets"},
        BadInput{"/links/bottleneck/queue", "blue", "links.bottleneck.queue"},
        BadInput{"/links/bottleneck/loss_probability", 1.1, "links.bottleneck.loss_probability"},
        BadInput{"/sources", Json::array(), "sources"}, BadInput{"/sources/0/name", 5, "sources.0.name"},
        BadInput{"/sources/0/tcp/max_rto_s", 0.5, "sources.0.tcp.max_rto_s"},
        BadInput{"/sources/0/count", 2000000, "sources.0.count"},
        BadInput{"/sources/0/workload/file_size/mean_packets", 2,
                 "sources.0.workload.file_size.mean_packets"},
        BadInput{"/sources/0/workload/file_size/tail_mean_ratio", 8,
                 "sources.0.workload.file_size.tail_mean_ratio"},
        BadInput{"/stop/connections", 0, "stop.connections"}, BadInput{"/probes", "loss-recovery", "probes"},
        BadInput{"/probes", {{{"kind", "weather"}}}, "probes.0.kind"},
        BadInput{
            "/probes", {{{"kind", "size-intervals"}, {"intervals", {{3, 6}, {6, 9}}}}}, "probes.0.intervals"},
        BadInput{"/probes", {{{"kind", "size-intervals"}, {"intervals", {{9, 6}}}}}, "probes.0.intervals"},
        BadInput{"/ack_bytes", -5, "ack_bytes"}, BadInput{"/seed", 1e300, "seed"},
        BadInput{"/replications", 3, "replications"}));

TEST(Point, AMissingKeyIsNamed) {
  Json json = on_off_json();
  json["sources"][0]["tcp"].erase("rwnd_packets");
  EXPECT_EQ(complaint(json), "point.json: sources.0.tcp.rwnd_packets: is missing");
}

TEST(Point, AKeyIsThereOnce) {
  const auto file = std::filesystem::path(testing::TempDir()) / "twins.json";
  std::ofstream(file) << R"({"links": {"a": {"x": 1}, "b": {"x": 1, "y": 2, "x": 3}}})";
  try {
    read_point(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), file.string() + ": links.b.x: is there twice; each key once");
  }
}

TEST(Point, AFileThatCannotBeReadIsNamed) {
  EXPECT_THROW(read_point("/nowhere/point.json"), InputError);
  const auto file = std::filesystem::path(testing::TempDir()) / "not.json";
  std::ofstream(file) << "{\"schema\": ";
  try {
    read_point(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind(file.string() + ": is not JSON", 0), 0U);
  }
}

TEST(RunFile, NothingHalfWrittenIsLeft) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "nothing_half_written";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_THROW(write_atomically({{"a", 1}}, folder / "missing" / "run.json"), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  write_atomically({{"a", 1}}, folder / "run.json");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace kit
