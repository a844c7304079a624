// The engine kit's names, which this engine uses unqualified.
#pragma once

#include "kit/main/units.hpp"

namespace packetsim {

using namespace kit;

}  // namespace packetsim
