// How an engine reports its progress.
#pragma once

#include <cstdint>
#include <functional>

namespace kit {

// Called now and then with the completed part of the run and the whole, in the same unit.
using Progress = std::function<void(std::int64_t completed, std::int64_t whole)>;

}  // namespace kit
