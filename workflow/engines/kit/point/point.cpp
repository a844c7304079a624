#include "kit/point/point.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kit/point/json_reader.hpp"
#include "kit/point/read_sources.hpp"
#include "kit/random/loss_process.hpp"

namespace kit {
namespace {

Queue read_queue(JsonReader& reader) {
  using enum Queue;
  return reader.choice<Queue>("queue", {{"drop-tail", kDropTail},
                                        {"fair-individual", kFairIndividual},
                                        {"fair-shared", kFairShared},
                                        {"cake", kCake},
                                        {"codel", kCodel},
                                        {"fq", kFq},
                                        {"fq-codel", kFqCodel},
                                        {"pie", kPie},
                                        {"red", kRed},
                                        {"step", kStep}});
}

template <class Read>
auto if_there(const JsonReader& reader, const char* key, Read read) -> std::optional<decltype(read(key))> {
  return reader.has(key) ? std::optional(read(key)) : std::nullopt;
}

void read_management(JsonReader& reader, Bottleneck& bottleneck) {
  const auto time = [&](const char* key) { return reader.number(key, kTime); };
  const auto packets = [&](const char* key) { return reader.count(key, kPackets); };
  bottleneck.target_s = if_there(reader, "target_s", time);
  bottleneck.interval_s = if_there(reader, "interval_s", time);
  bottleneck.ecn = if_there(reader, "ecn", [&](const char* key) { return reader.flag(key); });
  bottleneck.flows = if_there(reader, "flows", [&](const char* key) { return reader.count(key, kFlows); });
  bottleneck.mtu_rule_counts_all = if_there(reader, "mtu_rule", [&](const char* key) {
    return reader.choice<bool>(key, {{"all", true}, {"each-queue", false}});
  });
  if (reader.has("rules")) {
    bottleneck.rules_of_linux = reader.choice<bool>("rules", {{"linux", true}, {"rfc", false}});
  }
  bottleneck.flow_limit_packets = if_there(reader, "flow_limit_packets", packets);
  bottleneck.min_threshold_packets = if_there(reader, "min_threshold_packets", packets);
  bottleneck.max_threshold_packets = if_there(reader, "max_threshold_packets", packets);
  const auto share = [&](const char* key) { return reader.number(key, kPositiveShare); };
  bottleneck.max_drop = if_there(reader, "max_drop", share);
  bottleneck.weight = if_there(reader, "weight", share);
  if (bottleneck.min_threshold_packets.has_value() != bottleneck.max_threshold_packets.has_value()) {
    reader.fail(bottleneck.min_threshold_packets ? "min_threshold_packets" : "max_threshold_packets",
                "is given alone; both thresholds or none");
  }
  if (bottleneck.min_threshold_packets &&
      *bottleneck.min_threshold_packets >= *bottleneck.max_threshold_packets) {
    reader.fail("min_threshold_packets", "must be below max_threshold_packets");
  }
}

void read_losses(JsonReader& reader, Bottleneck& bottleneck) {
  JsonReader process = reader.object("loss_process");
  Losses& losses = bottleneck.losses;
  losses.kind = process.choice<Losses::Kind>("kind", {{"independent", Losses::Kind::kIndependent},
                                                      {"evenly-spaced", Losses::Kind::kEvenlySpaced},
                                                      {"bursts", Losses::Kind::kBursts}});
  if (losses.kind == Losses::Kind::kBursts) {
    losses.burst_packets = process.number("burst_packets", kBurst);
    losses.burst_loss = process.number("burst_loss", kPositiveShare);
    if (bottleneck.loss_probability >= losses.burst_loss || LossProcess::entry(bottleneck) > 1) {
      process.fail("burst_packets", "leaves no room between bursts; longer bursts or a smaller loss");
    }
  }
  process.finish();
}

// Many of them, as two lists.
void read_trace(JsonReader trace, Bottleneck& bottleneck) {
  const std::vector<double> at = trace.doubles("at_s"), rate = trace.doubles("rate_bit_per_s");
  const auto in = [](double number, const Range& range) { return number >= 0 && number <= range.high; };
  for (std::size_t i = 0; i < at.size() && i < rate.size(); ++i) {
    bottleneck.rate_steps.push_back({at[i], rate[i]});
    if (!in(at[i], kStepTime) || !in(rate[i], kCrossRate) || (i > 0 && at[i] <= at[i - 1])) {
      trace.fail("at_s", "and rate_bit_per_s must be times that increase and rates, at most 1e6 and 1e12");
    }
  }
  if (at.size() != rate.size() || at.empty()) {
    trace.fail("at_s", "and rate_bit_per_s must be of one length, at least 1");
  }
  bottleneck.rate_period_s = trace.has("period_s") ? trace.number("period_s", kStepTime) : 0;
  if (trace.has("period_s") && bottleneck.rate_period_s <= at.back()) {
    trace.fail("period_s", "is not later than the last step");
  }
  trace.finish();
}

std::vector<RateStep> read_rate_steps(JsonReader& reader) {
  std::vector<RateStep> steps;
  if (reader.has("rate_steps")) {
    for (JsonReader& step : reader.objects("rate_steps")) {
      steps.push_back({.at_s = step.number("at_s", kStepTime),
                       .rate_bit_per_s = step.number("rate_bit_per_s", kCrossRate)});
      step.finish();
      if (steps.size() > 1 && steps[steps.size() - 2].at_s >= steps.back().at_s) {
        step.fail("at_s", "is not later than that of the step before");
      }
    }
  }
  return steps;
}

void read_delay_variation(JsonReader& reader, Bottleneck& bottleneck) {
  if (reader.has("jitter")) {
    JsonReader jitter = reader.object("jitter");
    bottleneck.jitter =
        Jitter{.normal = jitter.choice<bool>("distribution", {{"uniform", false}, {"normal", true}}),
               .standard_deviation_s = jitter.number("standard_deviation_s", kDelay),
               .reorders = jitter.has("reorders") && jitter.flag("reorders")};
    jitter.finish();
  }
  if (reader.has("reordering")) {
    JsonReader reordering = reader.object("reordering");
    bottleneck.reordering = Reordering{.share = reordering.number("share", kPositiveShare),
                                       .delay_s = reordering.number("delay_s", kDelay)};
    reordering.finish();
  }
  if (reader.has("delay_steps")) {
    for (JsonReader& step : reader.objects("delay_steps")) {
      std::vector<DelayStep>& steps = bottleneck.delay_steps;
      steps.push_back(
          {.at_s = step.number("at_s", kStepTime), .extra_delay_s = step.number("extra_delay_s", kDelay)});
      step.finish();
      if (steps.size() > 1 && steps[steps.size() - 2].at_s >= steps.back().at_s) {
        step.fail("at_s", "is not later than that of the step before");
      }
    }
  }
}

void read_variation(JsonReader& reader, Bottleneck& bottleneck) {
  read_delay_variation(reader, bottleneck);
  if (reader.has("rate_steps") && reader.list("rate_steps").is_object()) {
    read_trace(reader.object("rate_steps"), bottleneck);
  } else {
    bottleneck.rate_steps = read_rate_steps(reader);
  }
  const auto sends = [](const RateStep& step) { return step.rate_bit_per_s > 0; };
  const std::vector<RateStep>& steps = bottleneck.rate_steps;
  if (!steps.empty() &&
      !(bottleneck.rate_period_s > 0 ? std::ranges::any_of(steps, sends) : sends(steps.back()))) {
    reader.fail("rate_steps", "ends with a rate of 0, at which nothing is ever sent");
  }
  if (reader.has("token_bucket")) {
    JsonReader bucket = reader.object("token_bucket");
    bottleneck.token_bucket = TokenBucket{.rate_bit_per_s = bucket.number("rate_bit_per_s", kRate),
                                          .burst_bytes = bucket.whole("burst_bytes", kBurstBytes)};
    bucket.finish();
  }
}

Bottleneck read_bottleneck(JsonReader& links) {
  JsonReader reader = links.object("bottleneck");
  Bottleneck bottleneck;
  bottleneck.rate_bit_per_s = reader.number("rate_bit_per_s", kRate);
  bottleneck.delay_s = reader.number("delay_s", kDelay);
  bottleneck.loss_probability = reader.number("loss_probability", kProbability);
  bottleneck.buffer_packets = reader.count("buffer_packets", kPackets);
  bottleneck.queue = read_queue(reader);
  read_management(reader, bottleneck);
  if (reader.has("ties")) {
    using enum Bottleneck::Ties;
    bottleneck.ties = reader.choice<Bottleneck::Ties>(
        "ties",
        {{"departure-first", kDepartureFirst}, {"arrival-first", kArrivalFirst}, {"random", kRandom}});
  }
  if (reader.has("loss_process")) {
    read_losses(reader, bottleneck);
  }
  read_variation(reader, bottleneck);
  reader.finish();
  return bottleneck;
}

SizeInterval read_interval(const Json& interval, const JsonReader& reader) {
  const auto bound = [](const Json& value) {
    return value.is_number_integer() && value >= 1 && value <= INT32_MAX;
  };
  if (!interval.is_array() || interval.size() != 2 || !bound(interval[0]) ||
      !(bound(interval[1]) || interval[1].is_null()) || (bound(interval[1]) && interval[1] < interval[0])) {
    reader.fail("intervals", "must hold [low, high] in packets, or [low, null], with low at most high");
  }
  const auto low = interval[0].get<std::int32_t>();
  if (interval[1].is_null()) {
    return {low, INT32_MAX, ">" + std::to_string(low - 1)};
  }
  const auto high = interval[1].get<std::int32_t>();
  return {low, high, std::to_string(low) + "-" + std::to_string(high)};
}

std::vector<SizeInterval> read_intervals(const Json& intervals, const JsonReader& reader) {
  if (!intervals.is_array() || intervals.empty()) {
    reader.fail("intervals", "must be a list of [low, high] in packets");
  }
  std::vector<SizeInterval> result;
  for (const auto& interval : intervals) {
    result.push_back(read_interval(interval, reader));
    if (result.size() > 1 && result.back().low <= result[result.size() - 2].high) {
      reader.fail("intervals",
                  "has " + interval.dump() +
                      ", which overlaps the one before it; must be disjoint and in increasing order");
    }
  }
  return result;
}

Probes read_probes(JsonReader& reader, const Point& point) {
  const auto is_bulk_tahoe = [](const SourceGroup& group) {
    return group.workload.bulk() && group.tcp.variant == "tahoe";
  };
  Probes probes;
  for (JsonReader& probe : reader.objects("probes")) {
    bool sizes = false;
    *probe.choice<bool*>("kind", {{"capacity-sharing", &probes.capacity_sharing},
                                  {"drop-positions", &probes.drop_positions},
                                  {"loss-recovery", &probes.loss_recovery},
                                  {"loss-cycles", &probes.loss_cycles},
                                  {"window-trace", &probes.window_trace},
                                  {"filter-log", &probes.filter_log},
                                  {"queue-trace", &probes.queue_trace},
                                  {"window-mean", &probes.window_mean},
                                  {"time-to-byte", &probes.time_to_byte},
                                  {"transfer-times", &probes.transfer_times},
                                  {"size-intervals", &sizes}}) = true;
    if (probes.loss_cycles && !std::ranges::all_of(point.groups, is_bulk_tahoe)) {
      probe.fail("kind", "must not be loss-cycles unless all sources are bulk with tcp.variant tahoe");
    }
    if (probes.filter_log && !point.all_bulk()) {
      probe.fail("kind", "must not be filter-log unless all sources are bulk");
    }
    if (sizes) {
      probes.size_intervals = read_intervals(probe.list("intervals"), probe);
    }
    probe.finish();
  }
  return probes;
}

CrossTrafficSpec read_cross_traffic(JsonReader& point) {
  JsonReader reader = point.object("cross_traffic");
  CrossTrafficSpec cross_traffic;
  using enum CrossTrafficSpec::Kind;
  cross_traffic.kind = reader.choice<CrossTrafficSpec::Kind>(
      "kind", {{"deterministic", kDeterministic}, {"poisson", kPoisson}});
  cross_traffic.rate_bit_per_s = reader.number("rate_bit_per_s", kCrossRate);
  cross_traffic.rate_steps = read_rate_steps(reader);
  if (reader.has("phase")) {
    cross_traffic.phase = reader.number("phase", kProbability);
  }
  reader.finish();
  return cross_traffic;
}

Stop read_stop(JsonReader& point) {
  JsonReader reader = point.object("stop");
  Stop stop;
  if (reader.has("duration_s")) {
    stop.duration_s = reader.number("duration_s", kDuration);
    stop.warmup_s = reader.number("warmup_s", kWarmup);
  } else if (reader.has("loss_events")) {
    stop.loss_events = reader.whole("loss_events", kStop);
    stop.warmup_loss_events = reader.whole("warmup_loss_events", kStopWarmup);
  } else if (reader.has("transfer_packets")) {
    stop.transfer_packets = reader.count("transfer_packets", kFilePackets);
  } else if (reader.has("packets")) {
    stop.packets = reader.whole("packets", kStop);
    stop.warmup_packets = reader.whole("warmup_packets", kStopWarmup);
  } else {
    stop.connections = reader.whole("connections", kStop);
    stop.warmup_connections = reader.whole("warmup_connections", kStopWarmup);
  }
  reader.finish();
  return stop;
}

// Checks the rule against the sources; a transfer is a connection of so many packets.
void apply_stop(Point& point, const JsonReader& reader) {
  if (point.any_come_and_go() &&
      (std::holds_alternative<LocalLoop>(point.topology) || point.stop.duration_s == 0)) {
    reader.fail(
        "sources.workload",
        "must have neither start_s, stop_s nor transfer_packets but in a dumbbell with stop.duration_s");
  }
  if (point.any_arrivals() &&
      (std::holds_alternative<LocalLoop>(point.topology) || point.stop.loss_events > 0)) {
    reader.fail("sources.workload.kind", "must not be arrivals in a local loop or with stop.loss_events");
  }
  if (point.stop.transfer_packets > 0) {
    if (point.source_count() != 1 || !point.all_bulk()) {
      reader.fail("stop.transfer_packets", "is of one bulk source; no other source may be there");
    }
    point.groups.front().workload.file_size.mean_packets = static_cast<double>(point.stop.transfer_packets);
    point.stop.connections = 1;
  } else if (point.stop.connections > 0 && point.all_bulk()) {
    reader.fail("stop.connections",
                "is never reached by bulk sources; one of duration_s, loss_events, transfer_packets");
  }
}

Station read_station(JsonReader& reader) {
  Station station;
  station.name = reader.text("name");
  station.rate_bit_per_s = reader.number("rate_bit_per_s", kRate);
  station.delay_s = reader.number("delay_s", kDelay);
  if (reader.has("queue")) {
    station.queue = read_queue(reader);
    using enum Station::HeadOfLine;
    station.head_of_line =
        reader.choice<Station::HeadOfLine>("head_of_line", {{"in-buffer", kInBuffer}, {"apart", kApart}});
    station.drops_arriving =
        reader.has("drop") && reader.choice<bool>("drop", {{"longest-queue", false}, {"arriving", true}});
  } else if (reader.has("load")) {
    JsonReader load = reader.object("load");
    station.load = Load{.mean = load.number("mean", kLoadMean),
                        .standard_deviation = load.number("standard_deviation", kLoadDeviation),
                        .hurst = load.number("hurst", kShare),
                        .slot_s = load.number("slot_s", kTime)};
    load.finish();
  }
  if (station.queue || station.load) {
    station.buffer_packets = reader.count("buffer_packets", kPackets);
  }
  reader.finish();
  return station;
}

LocalLoop read_local_loop(JsonReader& point) {
  LocalLoop loop;
  for (JsonReader& station : point.objects("stations")) {
    loop.stations.push_back(read_station(station));
  }
  const auto shared =
      std::ranges::count_if(loop.stations, [](const Station& s) { return s.queue.has_value(); });
  const auto loaded =
      std::ranges::count_if(loop.stations, [](const Station& s) { return s.load.has_value(); });
  if (shared != 1) {
    point.fail("stations", "has " + std::to_string(shared) + " with a queue; exactly one, the shared router");
  }
  if (loaded > 1) {
    point.fail("stations", "has " + std::to_string(loaded) + " with a load; at most one");
  }
  return loop;
}

Dumbbell read_dumbbell(JsonReader& point) {
  JsonReader links = point.object("links");
  Dumbbell dumbbell{.bottleneck = read_bottleneck(links), .egress = read_link(links, "egress")};
  if (links.has("return")) {
    JsonReader link = links.object("return");
    dumbbell.way_back = ReturnLink{.rate_bit_per_s = link.number("rate_bit_per_s", kRate),
                                   .buffer_packets = link.count("buffer_packets", kPackets),
                                   .loss_probability = link.number("loss_probability", kProbability)};
    link.finish();
  }
  links.finish();
  return dumbbell;
}

FixedPoint read_fixed_point(JsonReader& point) {
  JsonReader reader = point.object("fixed_point");
  const auto pick = [&reader]<class Option>(
                        Option& option, const char* key,
                        std::initializer_list<std::pair<std::string_view, Option>> names) {
    option = reader.choice<Option>(key, names);
  };
  FixedPoint options;
  pick(options.scheme, "scheme",
       {{"0", FixedPoint::Scheme::k0},
        {"1", FixedPoint::Scheme::k1},
        {"2", FixedPoint::Scheme::k2},
        {"exact", FixedPoint::Scheme::kExact}});
  options.references = reader.count("references", kSources);
  pick(options.condition, "condition",
       {{"users", FixedPoint::Condition::kUsers},
        {"backlogged", FixedPoint::Condition::kBacklogged},
        {"nothing", FixedPoint::Condition::kNothing}});
  options.step_packets = reader.whole("step_packets", kStop);
  options.min_steps = reader.count("min_steps", kSteps);
  options.max_steps = reader.count("max_steps", kSteps);
  pick(options.averaging, "averaging",
       {{"none", FixedPoint::Averaging::kNone}, {"linear", FixedPoint::Averaging::kLinear}});
  options.change = reader.number("change", kTest);
  options.environment = reader.number("environment", kTest);
  options.fairness = reader.number("fairness", kTest);
  pick(options.gaps, "gaps",
       {{"exponential", FixedPoint::Gaps::kExponential}, {"constant", FixedPoint::Gaps::kConstant}});
  pick(options.service, "service",
       {{"lognormal", FixedPoint::Service::kLognormal}, {"exponential", FixedPoint::Service::kExponential}});
  pick(options.loss_detection, "loss_detection",
       {{"instantaneous", FixedPoint::LossDetection::kInstantaneous},
        {"duplicate-acks", FixedPoint::LossDetection::kDuplicateAcks}});
  pick(options.gap_after, "gap_after",
       {{"release", FixedPoint::GapAfter::kRelease}, {"due", FixedPoint::GapAfter::kDue}});
  pick(options.haste, "haste",
       {{"none", FixedPoint::Haste::kNone},
        {"rate", FixedPoint::Haste::kRate},
        {"queue", FixedPoint::Haste::kQueue}});
  reader.finish();
  return options;
}

// Such a queue lets a departure choose whose packet is next before it admits an arrival of the same instant.
void check_fair_queue(const Point& point, const JsonReader& reader) {
  if (point.dumbbell().bottleneck.ties != Bottleneck::Ties::kDepartureFirst) {
    reader.fail("links.bottleneck.ties",
                "must be departure-first unless links.bottleneck.queue is drop-tail");
  }
}

// Products of numbers that are in order one by one.
void check_sizes(const Point& point, const JsonReader& reader) {
  const double bits = 8.0 * point.packet_bytes;
  const auto check_queue = [&](const std::string& key, double packets, double rate_bit_per_s) {
    if (const double time_s = packets * bits / rate_bit_per_s; time_s > kLongestQueue_s) {
      reader.fail(key, "takes " + std::to_string(time_s) + " s to be sent; must take at most " +
                           std::to_string(kLongestQueue_s) + " s");
    }
  };
  const bool individual = point.dumbbell().bottleneck.queue == Bottleneck::Queue::kFairIndividual;
  check_queue("links.bottleneck.buffer_packets",
              static_cast<double>(point.dumbbell().bottleneck.buffer_packets) *
                  (individual ? point.source_count() : 1),
              point.dumbbell().bottleneck.lowest_rate_bit_per_s());
  if (const auto& bucket = point.dumbbell().bottleneck.token_bucket) {
    if (bucket->burst_bytes < point.packet_bytes) {
      reader.fail("links.bottleneck.token_bucket.burst_bytes",
                  "has no room for a packet of " + std::to_string(point.packet_bytes) + " bytes");
    }
    check_queue("links.bottleneck.token_bucket.burst_bytes",
                8.0 * static_cast<double>(bucket->burst_bytes) / bits, bucket->rate_bit_per_s);
  }
  if (const auto& way_back = point.dumbbell().way_back) {
    if (point.ack_bytes == 0) {
      reader.fail("ack_bytes", "is 0, which takes no time on links.return; at least 1");
    }
    check_queue("links.return.buffer_packets", way_back->buffer_packets * 8.0 * point.ack_bytes / bits,
                way_back->rate_bit_per_s);
  }
  double window_bits = 0;
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    const SourceGroup& group = point.groups[index];
    const std::string key = "sources." + std::to_string(index) + ".tcp.rwnd_packets";
    check_queue(key, group.tcp.rwnd_packets, group.access.rate_bit_per_s);
    check_queue(key, group.tcp.rwnd_packets, point.dumbbell().egress.rate_bit_per_s);
    window_bits += static_cast<double>(group.count) * group.tcp.rwnd_packets;
    if (window_bits > kMostWindowBits) {
      reader.fail(key, "makes the windows of all sources " + std::to_string(window_bits) +
                           " packets; must be at most " + std::to_string(kMostWindowBits));
    }
  }
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    std::vector<RateStep> rates = point.cross_traffic.rate_steps;
    rates.push_back({.rate_bit_per_s = point.cross_traffic.rate_bit_per_s});
    for (const RateStep& step : rates) {
      if (step.rate_bit_per_s > 0) {
        check_queue("cross_traffic.rate_bit_per_s", 1, step.rate_bit_per_s);
      }
    }
  }
}

template <auto read>
Topology topology(JsonReader& point) {
  return read(point);
}

}  // namespace

Point parse_point(const Json& json, const std::string& file) {
  JsonReader reader(json, file);
  Point point;
  reader.choice<bool>("schema", {{"tcp-atlas/point/3", true}});
  point.study = reader.text("study");
  point.set = reader.text("set");
  point.name = reader.text("point");
  point.topology = reader.choice<Topology (*)(JsonReader&)>(
      "kind", {{"dumbbell", topology<read_dumbbell>}, {"local-loop", topology<read_local_loop>}})(reader);
  point.return_delay_s = reader.number("return_delay_s", kReturnDelay);
  point.packet_bytes = reader.count("packet_bytes", kPacketBytes);
  point.groups = read_sources(reader);
  for (SourceGroup& group : point.groups) {
    group.tcp.packet_bytes = point.packet_bytes;
  }
  point.stop = read_stop(reader);
  apply_stop(point, reader);
  if (reader.has("cross_traffic")) {
    point.cross_traffic = read_cross_traffic(reader);
  }
  point.probes = read_probes(reader, point);
  if (reader.has("fixed_point")) {
    point.fixed_point = read_fixed_point(reader);
  }
  // Contained in return_delay_s but for a queue on the way back.
  if (reader.has("ack_bytes")) {
    point.ack_bytes = reader.count("ack_bytes", kAckBytes);
  }
  if (const auto* dumbbell = std::get_if<Dumbbell>(&point.topology)) {
    if (dumbbell->bottleneck.queue != Queue::kDropTail) {
      check_fair_queue(point, reader);
    }
    check_sizes(point, reader);
  }
  // These are for models and for the driver of the replications; what is there is in order all the same.
  if (reader.has("seed")) {
    reader.whole("seed", kSeed);
  }
  for (const char* key : {"parameters", "replications", "known"}) {
    if (reader.has(key)) {
      reader.object(key);
    }
  }
  reader.finish();
  return point;
}

}  // namespace kit
