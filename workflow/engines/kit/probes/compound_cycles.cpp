#include "kit/probes/compound_cycles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace kit {
namespace {

using Oscillations = std::vector<Oscillation>;

double median(std::vector<std::int32_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_of(const Oscillations& oscillations, std::int32_t Oscillation::*value) {
  std::vector<std::int32_t> values;
  values.reserve(oscillations.size());
  for (const Oscillation& oscillation : oscillations) {
    values.push_back(oscillation.*value);
  }
  return median(std::move(values));
}

void report_oscillations(const std::vector<CompoundCycle>& cycles, ProbeResults& results) {
  std::map<std::pair<std::int32_t, std::int32_t>, Oscillations> by_type;
  std::size_t all = 0;
  for (const CompoundCycle& cycle : cycles) {
    for (const Oscillation& oscillation : cycle.oscillations) {
      by_type[{oscillation.growths, oscillation.cuts}].push_back(oscillation);
      ++all;
    }
  }
  if (all == 0) {
    return;
  }
  const auto& [type, oscillations] =
      *std::max_element(by_type.begin(), by_type.end(),
                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const double highest = median_of(oscillations, &Oscillation::highest);
  const double lowest = median_of(oscillations, &Oscillation::lowest);
  results.metrics.push_back({"oscillation_growths", "1", static_cast<double>(type.first)});
  results.metrics.push_back({"oscillation_cuts", "1", static_cast<double>(type.second)});
  results.ratio("oscillation_share", "1", static_cast<double>(oscillations.size()), static_cast<double>(all));
  results.metrics.push_back({"theta_max", "packets", highest});
  results.metrics.push_back({"theta_min", "packets", lowest});
  results.metrics.push_back({"theta", "packets", (highest + lowest) / 2});
}

}  // namespace

void report_cycles(const std::vector<CompoundCycle>& cycles, double duration_s, std::int32_t path_packets,
                   bool followed, ProbeResults& results) {
  if (cycles.empty()) {
    return;
  }
  const auto number = static_cast<double>(cycles.size());
  double drops = 0;
  double halvings = 0;
  double at_loss = 0;
  double after_loss = 0;
  std::array<std::size_t, 7> cases{};
  for (const CompoundCycle& cycle : cycles) {
    drops += cycle.drops;
    halvings += cycle.halvings;
    at_loss += cycle.window_at_loss;
    after_loss += cycle.window_after_loss;
    ++cases.at(static_cast<std::size_t>(cycle.compound_case(path_packets)));
  }
  const auto [fewest, most] = std::ranges::minmax_element(cycles, {}, &CompoundCycle::drops);
  results.ratio("loss_interval", "s", duration_s, number);
  results.ratio("window_at_loss", "packets", at_loss, number);
  if (followed) {
    results.ratio("window_after_loss", "packets", after_loss, number);
  }
  results.ratio("drops_per_loss_event", "packets", drops, number);
  results.metrics.push_back({"drops_per_loss_event_min", "packets", static_cast<double>(fewest->drops)});
  results.metrics.push_back({"drops_per_loss_event_max", "packets", static_cast<double>(most->drops)});
  if (followed) {
    const auto commonest = std::max_element(cases.begin(), cases.end());
    results.ratio("halvings_per_loss_event", "1", halvings, number);
    results.metrics.push_back({"case", "1", static_cast<double>(commonest - cases.begin())});
    results.ratio("case_share", "1", static_cast<double>(*commonest), number);
    report_oscillations(cycles, results);
  }
}

}  // namespace kit
