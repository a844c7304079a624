// The list of TCP variants. To add one, include its file and name its class in `Variants`.
#pragma once

#include "tcp/cubic.hpp"
#include "tcp/dctcp.hpp"
#include "tcp/newreno.hpp"
#include "tcp/reno.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/tahoe.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

// Compound TCP is simulated alone (network/isolated_flow.hpp).
using Variants = VariantList<NewReno, Reno, Tahoe, RenoWindow, Cubic, Dctcp>;

}  // namespace packetsim
