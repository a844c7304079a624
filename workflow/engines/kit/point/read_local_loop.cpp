#include <algorithm>
#include <string_view>
#include <utility>

#include "kit/point/read_parts.hpp"

namespace kit {
namespace {

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

}  // namespace

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

}  // namespace kit
