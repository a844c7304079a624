// The links of a dumbbell, and the traffic that shares them.

#include <algorithm>
#include <optional>
#include <vector>

#include "kit/point/read_parts.hpp"
#include "kit/random/loss_process.hpp"

namespace kit {
namespace {

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
                                                      {"bursts", Losses::Kind::kBursts},
                                                      {"timed-bursts", Losses::Kind::kTimedBursts}});
  if (losses.kind == Losses::Kind::kBursts) {
    losses.burst_packets = process.number("burst_packets", kBurst);
    losses.burst_loss = process.number("burst_loss", kPositiveShare);
    if (bottleneck.loss_probability >= losses.burst_loss || LossProcess::entry(bottleneck) > 1) {
      process.fail("burst_packets", "leaves no room between bursts; longer bursts or a smaller loss");
    }
  }
  if (losses.kind == Losses::Kind::kTimedBursts) {
    losses.burst_time_s = process.number("burst_time_s", kBurstTime);
    losses.burst_loss = process.number("burst_loss", kPositiveShare);
    if (bottleneck.loss_probability >= losses.burst_loss) {
      process.fail("burst_loss", "leaves no time between bursts; a smaller loss");
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

// Steps in time, each later than the one before.
template <class Read>
auto read_steps(JsonReader& reader, const char* key, Read read) {
  std::vector<decltype(read(reader))> steps;
  if (reader.has(key)) {
    for (JsonReader& step : reader.objects(key)) {
      steps.push_back(read(step));
      step.finish();
      if (steps.size() > 1 && steps[steps.size() - 2].at_s >= steps.back().at_s) {
        step.fail("at_s", "is not later than that of the step before");
      }
    }
  }
  return steps;
}

std::vector<RateStep> read_rate_steps(JsonReader& reader) {
  return read_steps(reader, "rate_steps", [](JsonReader& step) {
    return RateStep{.at_s = step.number("at_s", kStepTime),
                    .rate_bit_per_s = step.number("rate_bit_per_s", kCrossRate)};
  });
}

void read_delay_variation(JsonReader& reader, Bottleneck& bottleneck) {
  if (reader.has("jitter")) {
    JsonReader jitter = reader.object("jitter");
    const int kind = jitter.choice<int>("distribution", {{"uniform", 0}, {"normal", 1}, {"sample", 2}});
    bottleneck.jitter =
        Jitter{.normal = kind == 1,
               .standard_deviation_s = kind == 2 ? 0 : jitter.number("standard_deviation_s", kDelay),
               .reorders = jitter.has("reorders") && jitter.flag("reorders"),
               .delays_s = kind == 2 ? jitter.doubles("delays_s") : std::vector<double>()};
    const auto in = [](double delay_s) { return delay_s >= 0 && delay_s <= kDelay.high; };
    if (kind == 2 &&
        (bottleneck.jitter->delays_s.empty() || !std::ranges::all_of(bottleneck.jitter->delays_s, in))) {
      jitter.fail("delays_s", "must have delays, each at least 0 and at most 3600");
    }
    jitter.finish();
  }
  if (reader.has("reordering")) {
    JsonReader reordering = reader.object("reordering");
    bottleneck.reordering = Reordering{.share = reordering.number("share", kPositiveShare),
                                       .delay_s = reordering.number("delay_s", kDelay)};
    reordering.finish();
  }
  bottleneck.delay_steps = read_steps(reader, "delay_steps", [](JsonReader& step) {
    return DelayStep{.at_s = step.number("at_s", kStepTime),
                     .extra_delay_s = step.number("extra_delay_s", kDelay)};
  });
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

}  // namespace

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

Link read_link(JsonReader& reader, const std::string& key) {
  JsonReader link = reader.object(key);
  const Link result{.rate_bit_per_s = link.number("rate_bit_per_s", kRate),
                    .delay_s = link.number("delay_s", kDelay)};
  link.finish();
  return result;
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
  if (links.has("hops")) {
    for (JsonReader& reader : links.objects("hops")) {
      const Link link{.rate_bit_per_s = reader.number("rate_bit_per_s", kRate),
                      .delay_s = reader.number("delay_s", kDelay)};
      dumbbell.hops.push_back({link, reader.count("buffer_packets", kPackets)});
      reader.finish();
    }
  }
  links.finish();
  return dumbbell;
}

CrossTrafficSpec read_cross_traffic(JsonReader& point) {
  JsonReader reader = point.object("cross_traffic");
  CrossTrafficSpec cross_traffic;
  using enum CrossTrafficSpec::Kind;
  cross_traffic.kind = reader.choice<CrossTrafficSpec::Kind>(
      "kind", {{"deterministic", kDeterministic}, {"poisson", kPoisson}});
  cross_traffic.rate_bit_per_s = reader.number("rate_bit_per_s", kCrossRate);
  cross_traffic.packet_bytes = reader.has("packet_bytes") ? reader.count("packet_bytes", kPacketBytes) : 0;
  cross_traffic.rate_steps = read_rate_steps(reader);
  if (reader.has("phase")) {
    cross_traffic.phase = reader.number("phase", kProbability);
  }
  reader.finish();
  return cross_traffic;
}

}  // namespace kit
