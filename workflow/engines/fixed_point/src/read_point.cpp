#include "read_point.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <variant>

#include "kit/local_loop/settings_of.hpp"
#include "kit/point/point.hpp"

namespace fixed_point {
namespace {

// A point counts the packets of all users, the iteration those of the references: their share, all alike.
std::int64_t of_references(std::int64_t packets, const Settings& settings) {
  return std::max<std::int64_t>(packets * settings.references / settings.users, 1);
}

void set_iteration(const kit::FixedPoint& options, Settings& settings) {
  using kit::FixedPoint;
  settings.references = options.references;
  constexpr Scheme kSchemes[] = {Scheme::kRates, Scheme::kRatesAndQueues, Scheme::kWindows};
  if (options.scheme != FixedPoint::Scheme::kExact) {
    settings.scheme = kSchemes[static_cast<std::size_t>(options.scheme)];
  } else if (options.references != settings.users) {
    throw kit::Unsupported("fixed_point.references: must be all users with the scheme exact");
  }
  constexpr Condition kConditions[] = {Condition::kOnUsers, Condition::kBackloggedUsers, Condition::kNothing};
  settings.condition = kConditions[static_cast<std::size_t>(options.condition)];
  settings.iteration = {.step_packets = of_references(options.step_packets, settings),
                        .min_steps = options.min_steps,
                        .max_steps = options.max_steps,
                        .change = options.change,
                        .averaging = options.averaging == FixedPoint::Averaging::kLinear,
                        .environment = options.environment,
                        .fairness = options.fairness};
  CrossReadings& cross = settings.cross;
  cross.gap_law = options.gaps == FixedPoint::Gaps::kExponential ? CrossReadings::GapLaw::kExponential
                                                                 : CrossReadings::GapLaw::kConstant;
  cross.service_law = options.service == FixedPoint::Service::kLognormal
                          ? CrossReadings::ServiceLaw::kLognormal
                          : CrossReadings::ServiceLaw::kExponential;
  cross.gap_after_release = options.gap_after == FixedPoint::GapAfter::kRelease;
  constexpr CrossReadings::Haste kHastes[] = {CrossReadings::Haste::kNone, CrossReadings::Haste::kForRate,
                                              CrossReadings::Haste::kForQueue};
  cross.haste = kHastes[static_cast<std::size_t>(options.haste)];
  if (options.loss_detection == FixedPoint::LossDetection::kDuplicateAcks) {
    settings.readings.loss_detection = Readings::LossDetection::kDuplicateAcks;
  }
}

}  // namespace

Point parse_point(const kit::Json& json, const std::string& file) {
  const kit::Point read = kit::parse_point(json, file);
  if (!std::holds_alternative<kit::LocalLoop>(read.topology)) {
    throw kit::Unsupported("kind: must be local-loop");
  }
  Point point{.study = read.study, .set = read.set, .name = read.name, .settings = {}};
  Settings& settings = point.settings;
  static_cast<kit::local_loop::Settings&>(settings) = kit::local_loop::settings_of(read);
  set_iteration(*read.fixed_point, settings);
  settings.iteration.packets = of_references(read.stop.packets, settings);
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
