// The run file, as docs/formats.md describes it.
#pragma once

#include <cstdint>

#include "kit/main/run.hpp"
#include "kit/point/json.hpp"
#include "read_point.hpp"
#include "results.hpp"

namespace fixed_point {

// What a point came to. An iteration that does not converge has no answer: the run then holds the convergence
// tests and the last two iterates alone.
kit::Json run_json(const Point& point, std::uint64_t seed, const Results& results, const kit::Engine& engine);

}  // namespace fixed_point
