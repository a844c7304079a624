// The points with Compound TCP: a single bulk flow that is simulated until so many loss events (Blanc,
// Collange and Avrachenkov 2008).
#pragma once

#include "kit/point/point.hpp"

namespace kit {

// Whether a source has Compound TCP, which the engines simulate as an isolated flow only.
bool has_compound(const Point& point);

// Returns the flow of such a point. Throws Unsupported where it is not alone, or its window can never fill
// the buffer.
const SourceGroup& isolated_flow(const Point& point);

}  // namespace kit
