#include "read_point.hpp"

#include <algorithm>
#include <stdexcept>

#include "kit/local_loop/read_settings.hpp"

namespace fixed_point {
namespace {

using kit::JsonReader;

// As those that scenarios have (workflow/tcpatlas/points/kinds/local_loop.py).
constexpr kit::Range kSteps{2, 1000};
constexpr kit::Range kTest{0, 1e6, false};

// A point counts the packets of all users, the iteration those of the references: their share, all alike.
std::int64_t of_references(std::int64_t packets, const Settings& settings) {
  return std::max<std::int64_t>(packets * settings.references / settings.users, 1);
}

void read_iteration(JsonReader& point, Settings& settings) {
  JsonReader reader = point.object("fixed_point");
  const std::size_t scheme = reader.choice("scheme", {"0", "1", "2", "exact"});
  settings.references = reader.count("references", {1, static_cast<double>(settings.users)});
  if (scheme == 3) {
    if (settings.references != settings.users) {
      reader.fail("references", "must be all users with the scheme exact");
    }
  } else {
    settings.scheme = static_cast<Scheme>(scheme);
  }
  constexpr Condition kConditions[] = {Condition::kOnUsers, Condition::kBackloggedUsers, Condition::kNothing};
  settings.condition = kConditions[reader.choice("condition", {"users", "backlogged", "nothing"})];
  Iteration& iteration = settings.iteration;
  iteration.step_packets = of_references(reader.whole("step_packets", kit::kStop), settings);
  iteration.min_steps = reader.count("min_steps", kSteps);
  iteration.max_steps = reader.count("max_steps", kSteps);
  iteration.change = reader.number("change", kTest);
  iteration.averaging = reader.choice("averaging", {"none", "linear"}) == 1;
  iteration.environment = reader.number("environment", kTest);
  iteration.fairness = reader.number("fairness", kTest);
  CrossReadings& cross = settings.cross;
  cross.gap_law = reader.choice("gaps", {"exponential", "constant"}) == 0
                      ? CrossReadings::GapLaw::kExponential
                      : CrossReadings::GapLaw::kConstant;
  cross.service_law = reader.choice("service", {"lognormal", "exponential"}) == 0
                          ? CrossReadings::ServiceLaw::kLognormal
                          : CrossReadings::ServiceLaw::kExponential;
  cross.gap_after_release = reader.choice("gap_after", {"release", "due"}) == 0;
  constexpr CrossReadings::Haste kHastes[] = {CrossReadings::Haste::kNone, CrossReadings::Haste::kForRate,
                                              CrossReadings::Haste::kForQueue};
  cross.haste = kHastes[reader.choice("haste", {"none", "rate", "queue"})];
  reader.finish();
}

}  // namespace

Point parse_point(const kit::Json& json, const std::string& file) {
  JsonReader reader(json, file);
  reader.choice("schema", {"tcp-atlas/point/2"});
  reader.choice("kind", {"local-loop"});
  Point point{
      .study = reader.text("study"), .set = reader.text("set"), .name = reader.text("point"), .settings = {}};
  Settings& settings = point.settings;
  static_cast<kit::local_loop::Settings&>(settings) = kit::local_loop::read_settings(reader);
  read_iteration(reader, settings);
  JsonReader stop = reader.object("stop");
  settings.iteration.packets = of_references(stop.whole("packets", kit::kStop), settings);
  stop.finish();
  reader.finish();
  try {
    check(settings);
  } catch (const std::invalid_argument& error) {
    throw kit::InputError(file + ": " + error.what());
  }
  return point;
}

Point read_point(const std::filesystem::path& file) {
  return parse_point(kit::read_json(file), file.string());
}

}  // namespace fixed_point
