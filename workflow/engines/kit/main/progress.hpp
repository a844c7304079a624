// How an engine reports its progress.
#pragma once

#include <cstdint>
#include <functional>

namespace kit {

// Called now and then with the completed part of the run and the whole, in the same unit.
using Progress = std::function<void(std::int64_t completed, std::int64_t whole)>;

// Runs so much in twenty parts, each by run_to(the part's end), and reports after each.
template <class RunTo>
void run_in_parts(std::int64_t length, const Progress& progress, RunTo run_to) {
  constexpr std::int64_t kParts = 20;
  for (std::int64_t part = 1; part <= kParts; ++part) {
    run_to(part < kParts ? length / kParts * part : length);
    if (progress) {
      progress(part, kParts);
    }
  }
}

}  // namespace kit
