#include <cmath>
#include <set>
#include <type_traits>
#include <variant>

#include "kit/point/most_packets.hpp"
#include "kit/point/read_parts.hpp"

namespace kit {
namespace {

// Reads the variant's own parameters; a variant that is not in the list has none.
template <class... Own>
VariantParameters read_own(JsonReader& tcp, const std::string& variant,
                           std::type_identity<std::variant<std::monostate, Own...>> /*all*/) {
  VariantParameters own;
  ((Own::kVariant == variant && (own = Own::read(tcp), true)) || ...);
  return own;
}

DelayedAck read_delayed_ack(JsonReader& tcp) {
  JsonReader reader = tcp.object("delayed_ack");
  const DelayedAck delayed_ack{.packets = reader.count("packets", kAckedTogether),
                               .timeout_s = reader.number("timeout_s", kTime),
                               .quick_acks = reader.count("quick_acks", kQuickAcks)};
  reader.finish();
  return delayed_ack;
}

Tcp read_tcp(JsonReader& group) {
  JsonReader reader = group.object("tcp");
  Tcp tcp{.variant = reader.word("variant"),
          .rwnd_packets = reader.count("rwnd_packets", kPackets),
          .initial_window_packets = reader.count("initial_window_packets", kPackets),
          .min_rto_s = reader.number("min_rto_s", kTimer),
          .max_rto_s = reader.number("max_rto_s", kTimer),
          .clock_tick_s = reader.has("clock_tick_s") ? reader.number("clock_tick_s", kTimer) : 0};
  if (reader.has("idle_restart_s")) {
    tcp.idle_restart_s = reader.number("idle_restart_s", kTime);
  }
  if (reader.has("delayed_ack")) {
    tcp.delayed_ack = read_delayed_ack(reader);
  }
  for (const auto& [key, option] : {std::pair{"sack", &tcp.sack},
                                    {"ecn", &tcp.ecn},
                                    {"timestamps", &tcp.timestamps},
                                    {"pacing", &tcp.pacing}}) {
    if (reader.has(key)) {
      *option = reader.flag(key);
    }
  }
  if (reader.has("sack_recovery")) {
    tcp.sack_recovery = reader.choice<SackRecovery>(
        "sack_recovery", {{"rfc6675", SackRecovery::kRfc6675}, {"prr", SackRecovery::kPrr}});
  }
  if (reader.has("loss_detection")) {
    tcp.loss_detection = reader.choice<LossDetection>(
        "loss_detection", {{"rfc6675", LossDetection::kRfc6675}, {"rack-tlp", LossDetection::kRackTlp}});
  }
  if (tcp.variant == "newreno" && reader.has("partial_acks")) {
    tcp.impatient = reader.choice<bool>("partial_acks", {{"slow-but-steady", false}, {"impatient", true}});
  }
  tcp.linux_rules = reader.has("rules") && reader.choice<bool>("rules", {{"rfc", false}, {"linux", true}});
  if (tcp.linux_rules && tcp.variant != "newreno") {  // which has no selective acknowledgements
    if (tcp.loss_detection.value_or(LossDetection::kRackTlp) != LossDetection::kRackTlp || reader.has("c") ||
        reader.has("reno_friendly")) {
      reader.fail("rules", "linux finds losses by rack-tlp, and has its own c and reno_friendly");
    }
    tcp.loss_detection = LossDetection::kRackTlp;
  }
  tcp.linux_timers = reader.has("timers") && reader.choice<bool>("timers", {{"rfc", false}, {"linux", true}});
  if (tcp.max_rto_s < tcp.min_rto_s) {
    reader.fail("max_rto_s", "is less than min_rto_s");
  }
  tcp.own = read_own(reader, tcp.variant, std::type_identity<VariantParameters>());
  reader.finish();
  return tcp;
}

FileSize read_file_size(JsonReader& workload) {
  using Distribution = FileSize::Distribution;
  JsonReader reader = workload.object("file_size");
  FileSize size;
  size.distribution = reader.choice<Distribution>(
      "distribution", {{"fixed", Distribution::kFixed},
                       {"exponential", Distribution::kExponential},
                       {"exponential-pareto", Distribution::kExponentialPareto},
                       {"exponential-exponential", Distribution::kExponentialExponential},
                       {"lognormal", Distribution::kLognormal}});
  size.mean_packets = reader.number("mean_packets", kFilePackets);
  if (size.distribution == Distribution::kFixed) {
    if (std::floor(size.mean_packets) != size.mean_packets) {
      reader.fail("mean_packets", "must be a whole number for a fixed size");
    }
    reader.ignore({"minimum_packets"});
  } else if (size.distribution == Distribution::kLognormal) {
    size.standard_deviation_packets = reader.number("standard_deviation_packets", kDeviationPackets);
  } else {
    size.minimum_packets = reader.number("minimum_packets", kFilePackets);
    if (size.mean_packets < size.minimum_packets) {
      reader.fail("mean_packets", "is less than minimum_packets");
    }
  }
  if (size.distribution == Distribution::kExponentialPareto) {
    size.tail_share = reader.number("tail_share", kShare);
    size.tail_index = reader.number("tail_index", kTailIndex);
    // The body's mean B of section 3.2 must come out positive.
    if (size.mean_packets <= size.minimum_packets * (1 + size.tail_share / (size.tail_index - 1))) {
      reader.fail("mean_packets",
                  "is too small for this tail_share and tail_index: nothing is left for the body");
    }
  }
  if (size.distribution == Distribution::kExponentialExponential) {
    size.tail_share = reader.number("tail_share", kShare);
    size.tail_mean_ratio = reader.number("tail_mean_ratio", kFactor);
    if (size.mean_packets * (1 - size.tail_share * size.tail_mean_ratio) <= size.minimum_packets) {
      reader.fail("tail_mean_ratio", "is too large for this mean_packets: nothing is left for the body");
    }
  }
  reader.finish();
  return size;
}

OffTime read_off_time(JsonReader& workload) {
  using enum OffTime::Distribution;
  JsonReader reader = workload.object("off_time");
  OffTime off_time{
      .distribution = reader.choice<OffTime::Distribution>(
          "distribution", {{"fixed", kFixed}, {"exponential", kExponential}, {"lognormal", kLognormal}}),
      .mean_s = reader.number("mean_s", kPause)};
  if (off_time.distribution == kLognormal) {
    off_time.standard_deviation_s = reader.number("standard_deviation_s", kDeviation_s);
  }
  reader.finish();
  return off_time;
}

// When bulk sources begin and end.
void read_times(JsonReader& reader, Workload& workload) {
  if (reader.has("start_spread_s")) {
    workload.start_spread_s = reader.number("start_spread_s", kDelay);
  }
  if (reader.has("start_s")) {
    workload.start_s = reader.number("start_s", kWarmup);
  }
  for (const auto& [key, value] : {std::pair{"stop_s", &workload.stop_s}, {"period_s", &workload.period_s}}) {
    if (reader.has(key)) {
      *value = reader.number(key, kStepTime);
    }
  }
  if (reader.has("transfer_packets")) {
    workload.transfer_packets = reader.count("transfer_packets", kFilePackets);
    workload.file_size.mean_packets = workload.transfer_packets;
  }
  if (workload.stop_s && *workload.stop_s <= workload.start_s + workload.start_spread_s) {
    reader.fail("stop_s", "is not after start_s and start_spread_s");
  }
  if (workload.period_s && !workload.stop_s && workload.transfer_packets == 0) {
    reader.fail("period_s", "is there without stop_s or transfer_packets");
  }
  if (workload.period_s && workload.stop_s && *workload.period_s < *workload.stop_s - workload.start_s) {
    reader.fail("period_s", "is shorter than from start_s to stop_s");
  }
}

void read_arrivals(JsonReader& reader, Workload& workload) {
  workload.load = reader.number("load", kOfferedLoad);
  if (reader.has("page")) {
    JsonReader page = reader.object("page");
    workload.page = {.objects = page.count("objects", kObjects),
                     .connections = page.count("connections", kObjects)};
    page.finish();
  }
}

Workload read_workload(JsonReader& group) {
  JsonReader reader = group.object("workload");
  Workload workload{.file_size = {.mean_packets = static_cast<double>(kMostPackets)}};
  using enum Workload::Kind;
  workload.kind = reader.choice<Workload::Kind>(
      "kind", {{"on-off", kOnOff}, {"bulk", kBulk}, {"http", kHttp}, {"arrivals", kArrivals}});
  if (workload.bulk()) {
    read_times(reader, workload);
  } else if (workload.kind == kArrivals) {
    workload.file_size = read_file_size(reader);
    read_arrivals(reader, workload);
  } else {
    workload.file_size = read_file_size(reader);
    workload.off_time = read_off_time(reader);
  }
  if (workload.kind == kHttp) {
    using enum Workload::FirstThink;
    using enum Workload::EndsAt;
    workload.first_think = reader.choice<Workload::FirstThink>(
        "first_think", {{"equilibrium", kEquilibrium}, {"whole", kWhole}});
    workload.ends_at =
        reader.choice<Workload::EndsAt>("ends_at", {{"source", kSource}, {"destination", kDestination}});
  }
  reader.finish();
  return workload;
}

SourceGroup read_group(JsonReader& reader) {
  SourceGroup group{.name = reader.text("name"),
                    .count = reader.count("count", kSources),
                    .workload = read_workload(reader),
                    .tcp = read_tcp(reader)};
  if (const std::int32_t needed = group.workload.page.at_once(); needed > group.count) {
    reader.fail("count", "is less than the connections of a page; at least " + std::to_string(needed));
  }
  if (reader.has("access")) {
    group.access = read_link(reader, "access");
  }
  if (reader.has("extra_delay_s")) {
    group.extra_delay_s = reader.number("extra_delay_s", kDelay);
  }
  group.returns = reader.has("direction") && reader.choice<bool>("direction", {{"return", true}});
  group.packet_bytes = reader.has("packet_bytes") ? reader.count("packet_bytes", kPacketBytes) : 0;
  group.last_hop = kAllHops;
  if (reader.has("hops")) {
    JsonReader hops = reader.object("hops");
    group.first_hop = hops.count("first", kHops) - 1;
    group.last_hop = hops.count("last", kHops) - 1;
    hops.finish();
  }
  reader.finish();
  return group;
}

}  // namespace

std::vector<SourceGroup> read_sources(JsonReader& point) {
  std::vector<SourceGroup> groups;
  std::set<std::string> names;
  std::int64_t sources = 0;
  for (JsonReader& reader : point.objects("sources")) {
    groups.push_back(read_group(reader));
    if (!names.insert(groups.back().name).second) {
      reader.fail("name", "is '" + JsonReader::cut(groups.back().name) +
                              "', as that of another group; each group its own");
    }
    sources += groups.back().count;
    if (static_cast<double>(sources) > kSources.high) {
      reader.fail("count", "makes " + std::to_string(sources) + " sources; must be at most 1000000");
    }
  }
  if (groups.empty()) {
    point.fail("sources", "is empty; at least one group");
  }
  return groups;
}

}  // namespace kit
